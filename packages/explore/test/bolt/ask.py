"""Asks a service over Bolt with the official driver for Python, and prints rows as POST /graphs/cypher shows them."""
import json
import sys

from neo4j import GraphDatabase
from neo4j.graph import Node, Path, Relationship


def shown(value):
    if isinstance(value, Node):
        name = value.get("name", value["objectid"])
        return {"type": "node", "id": int(value.element_id), "name": name, "objectid": value["objectid"]}
    if isinstance(value, Relationship):
        ends = [int(node.element_id) for node in value.nodes]
        return {"type": "relationship", "kind": value.type, "source": ends[0], "target": ends[1]}
    if isinstance(value, Path):
        relationships = [shown(relationship) for relationship in value.relationships]
        return {"type": "path", "nodes": [shown(node) for node in value.nodes], "relationships": relationships}
    if isinstance(value, list):
        return [shown(item) for item in value]
    if isinstance(value, dict):
        return {key: shown(item) for key, item in value.items()}
    return value if value is None or isinstance(value, (bool, int, float, str)) else str(value)


asked = json.load(sys.stdin)
answers = []
with GraphDatabase.driver(asked["url"], auth=(asked["id"], asked["key"])) as driver:
    driver.verify_connectivity()
    for query in asked["queries"]:
        with driver.session(fetch_size=50) as session:
            answers.append([[shown(value) for value in record.values()] for record in session.run(query)])
    with driver.session() as session:
        try:
            session.execute_write(lambda transaction: transaction.run("CREATE (n)").consume())
            refusal = None
        except Exception as error:
            refusal = error.code
json.dump({"answers": answers, "refusal": refusal}, sys.stdout)
