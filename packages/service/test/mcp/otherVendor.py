"""Signs in at the service with the client library of another vendor, as a browser would decide, and calls every tool, prompt and resource."""
import asyncio, json, sys, time, traceback, urllib.error, urllib.parse, urllib.request
from fastmcp import Client
from fastmcp.client.auth import OAuth

url, session, asked = sys.argv[1], sys.argv[2], json.loads(sys.argv[3])
base = url.removesuffix("/api/v2/mcp")


def decide(address: str) -> None:
    parameters = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(address).query))
    parameters.pop("scope", None)
    request = urllib.request.Request(
        f"{base}/api/v2/oauth/decisions",
        json.dumps({**parameters, "approved": True}).encode(),
        {"authorization": f"Bearer {session}", "content-type": "application/json"},
    )
    with urllib.request.urlopen(request) as answer:
        back = json.load(answer)["data"]["redirect_to"]
    # The library listens there only after it has opened the browser.
    for attempt in range(100):
        try:
            with urllib.request.urlopen(back) as answer:
                answer.read()
            return
        except urllib.error.URLError as error:
            if not isinstance(error.reason, ConnectionRefusedError):
                raise
            time.sleep(0.2)


class Browser(OAuth):
    async def redirect_handler(self, authorization_url: str) -> None:
        def work() -> None:
            try:
                decide(authorization_url)
            except Exception:
                traceback.print_exc()

        asyncio.get_running_loop().run_in_executor(None, work)


async def main() -> None:
    async with Client(url, auth=Browser(url)) as client:
        tools = await client.list_tools()
        errors = {}
        for tool in tools:
            result = await client.call_tool(tool.name, asked.get(tool.name, {}), raise_on_error=False)
            if result.is_error:
                errors[tool.name] = result.content[0].text
        prompts = await client.list_prompts()
        for prompt in prompts:
            await client.get_prompt(prompt.name, asked.get(prompt.name, {}))
        resources = [str(resource.uri) for resource in await client.list_resources()]
        read = []
        for uri in resources + asked["resources"]:
            contents = await client.read_resource(uri)
            if json.loads(contents[0].text)["page"].startswith("http"):
                read.append(uri)
        print(json.dumps({
            "tools": [tool.name for tool in tools],
            "errors": errors,
            "prompts": [prompt.name for prompt in prompts],
            "templates": [template.name for template in await client.list_resource_templates()],
            "resources": resources,
            "read": read,
        }))


asyncio.run(main())
