"""`sdk_client.py <prompt> <agent command...>`: a client of a few lines with the Python SDK. Prints text as it comes."""

import asyncio
import os
import signal
import sys

from acp import spawn_agent_process, text_block
from acp.schema import AllowedOutcome, Implementation, RequestPermissionResponse


class SdkClient:
    def on_connect(self, conn):
        pass

    async def session_update(self, session_id, update, **_):
        if update.session_update == "agent_message_chunk" and update.content.type == "text":
            print(update.content.text, end="", flush=True)

    async def request_permission(self, session_id, tool_call, options, **_):
        return RequestPermissionResponse(outcome=AllowedOutcome(outcome="selected", option_id=options[0].option_id))


async def main():
    # Half a surrogate pair cannot be written as UTF-8.
    sys.stdout.reconfigure(errors="replace")
    prompt, command, *args = sys.argv[1:]
    async with spawn_agent_process(SdkClient(), command, *args) as (agent, _process):
        info = Implementation(name="sdk-client", version="1.0.0")
        initialized = await agent.initialize(protocol_version=1, client_info=info)
        if initialized.protocol_version != 1:
            sys.exit(f"The agent speaks version {initialized.protocol_version}")
        session = await agent.new_session(cwd=os.getcwd(), mcp_servers=[])

        loop = asyncio.get_running_loop()

        def cancel():
            loop.remove_signal_handler(signal.SIGINT)
            asyncio.ensure_future(agent.cancel(session_id=session.session_id))

        loop.add_signal_handler(signal.SIGINT, cancel)
        answer = await agent.prompt(session_id=session.session_id, prompt=[text_block(prompt)])
        if answer.stop_reason != "end_turn":
            print(answer.stop_reason, file=sys.stderr)


asyncio.run(main())
