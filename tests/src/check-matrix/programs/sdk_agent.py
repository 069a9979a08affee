"""An agent of a few lines with the Python SDK. The prompt `ask` asks for permission, and `wait` takes a minute."""

import asyncio
import os

from acp import RequestError, run_agent
from acp.helpers import start_tool_call, update_agent_message_text
from acp.schema import (
    Implementation,
    InitializeResponse,
    NewSessionResponse,
    PermissionOption,
    PromptResponse,
    ToolCallProgress,
    ToolCallUpdate,
)


class SdkAgent:
    def __init__(self):
        self.turns = {}
        self.sessions = set()

    def on_connect(self, conn):
        self.client = conn

    async def initialize(self, protocol_version, **_):
        return InitializeResponse(protocol_version=1, agent_info=Implementation(name="sdk-agent", version="1.0.0"))

    async def new_session(self, cwd, **_):
        if not os.path.isabs(cwd):
            raise RequestError.invalid_params({"cwd": cwd})
        session_id = f"session-{len(self.sessions) + 1}"
        self.sessions.add(session_id)
        return NewSessionResponse(session_id=session_id)

    async def prompt(self, session_id, prompt, **_):
        if session_id not in self.sessions:
            raise RequestError.invalid_params({"sessionId": session_id})
        if session_id in self.turns:
            raise RequestError.invalid_request({"sessionId": session_id})
        cancelled = self.turns[session_id] = asyncio.Event()
        try:
            return await self.play(session_id, prompt, cancelled)
        finally:
            del self.turns[session_id]

    async def play(self, session_id, prompt, cancelled):
        text = "".join(getattr(block, "text", "") for block in prompt)
        await self.client.session_update(session_id, update_agent_message_text("You said: "))
        if text == "ask":
            options = [PermissionOption(option_id="yes", name="Yes", kind="allow_once")]
            await self.client.session_update(session_id, start_tool_call("call-1", "Look", status="pending"))
            call = ToolCallUpdate(tool_call_id="call-1", title="Look", status="pending")
            ask = self.client.request_permission(session_id=session_id, tool_call=call, options=options)
            waits = [asyncio.ensure_future(ask), asyncio.ensure_future(cancelled.wait())]
            await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
            outcome = None if cancelled.is_set() or waits[0].exception() else waits[0].result().outcome
            is_allowed = outcome is not None and getattr(outcome, "option_id", None) == "yes"
            status = "completed" if is_allowed else "failed"
            update = ToolCallProgress(session_update="tool_call_update", tool_call_id="call-1", status=status)
            await self.client.session_update(session_id, update)
        for step in range(600 if text == "wait" else 0):
            if not cancelled.is_set():
                await self.client.session_update(session_id, update_agent_message_text(f"{step} "))
                await asyncio.sleep(0.1)
        if cancelled.is_set():
            return PromptResponse(stop_reason="cancelled")
        await self.client.session_update(session_id, update_agent_message_text(text))
        return PromptResponse(stop_reason="end_turn")

    async def cancel(self, session_id, **_):
        if session_id in self.turns:
            self.turns[session_id].set()


asyncio.run(run_agent(SdkAgent()))
