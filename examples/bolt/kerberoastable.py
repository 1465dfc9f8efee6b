"""A report over Bolt, as teams have written them: service accounts whose passwords can be guessed offline, and where they lead.

    pip install neo4j
    NEO4J_URI=bolt://127.0.0.1:7687 NEO4J_USER=TOKEN-ID NEO4J_PASSWORD=TOKEN-KEY python kerberoastable.py > report.csv
"""
import csv
import os
import sys

from neo4j import GraphDatabase

QUERY = """
MATCH (u:User {hasspn: true, enabled: true})
OPTIONAL MATCH p = shortestPath((u)-[:AD_ATTACK_PATHS*1..]->(t:Tag_Tier_Zero))
WITH u, CASE WHEN p IS NULL THEN null ELSE length(p) END AS steps
RETURN u.name AS name, u.serviceprincipalnames AS services, min(steps) AS steps
ORDER BY steps IS NULL, steps, name
"""

with GraphDatabase.driver(
    os.environ["NEO4J_URI"], auth=(os.environ["NEO4J_USER"], os.environ["NEO4J_PASSWORD"])
) as driver:
    records, _, _ = driver.execute_query(QUERY)
    report = csv.writer(sys.stdout)
    report.writerow(["account", "services", "steps to Tier Zero"])
    for record in records:
        steps = "none" if record["steps"] is None else record["steps"]
        report.writerow([record["name"], " ".join(record["services"] or []), steps])
