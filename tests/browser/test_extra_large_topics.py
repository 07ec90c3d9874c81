"""A topic too long for its model, in the browser: a quiet line, what was kept, and the way to the rest (P8)."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from kb_agent.agent import prompt, toolbox
from kb_agent.llm import scripted, usage
from kb_agent.llm.script import calls, says
from kb_agent.usecases import upkeep
from tests.browser import code

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from kb_agent.llm.scripted import ScriptedServer
    from tests.browser.conftest import Visit
    from tests.flows.harness import StartWorker

# Beside the prompt and the tools there is room for two steps, not for three.
FIXED = usage.estimate(prompt.system(readable=1, branch="", last_step=False)) + usage.estimate(
    json.dumps(toolbox.schemas(), ensure_ascii=False)
)
WINDOW = int((FIXED + 1_700) * 1.1 / 0.75)


@pytest.fixture
def mill(committed_database: None, tmp_path: Path) -> None:
    """Code of many lines: reading a part of it fills a small window."""
    lines: dict[str, str | None] = {
        f"mill/stage{stage}.py": "\n".join(
            f"STAGE_{stage}_LIMIT_{line} = {line}  # the limit of step {line}"
            for line in range(1, 201)
        )
        for stage in range(1, 5)
    }
    code.commit(tmp_path / "mill", lines, summary="First.")
    upkeep.add("mill", str(tmp_path / "mill"), groups=["product"])
    (run,) = upkeep.index(["mill"])
    assert run.status == "done", run.error


@pytest.fixture
def model(start_worker: StartWorker) -> Iterator[ScriptedServer]:
    """A worker whose model has a small window."""
    with scripted.serve() as server:
        start_worker(
            KB_AGENT_LLM_BASE_URL=server.url,
            KB_AGENT_LLM_API_KEY="none",
            KB_AGENT_LLM_MODEL="scripted",
            KB_AGENT_LLM_WINDOW=str(WINDOW),
        )
        yield server


@pytest.mark.usefixtures("mill")
def test_P8_where_the_memory_was_full_a_quiet_line_says_what_was_kept(
    model: ScriptedServer, visit: Visit
) -> None:
    model.add(
        *(
            calls("read_lines", repository="mill", path=f"mill/stage{stage}.py", end_line=100)
            for stage in (1, 2, 3)
        ),
        says("**Each step** has a limit of its own. [e1]"),
    )
    # Only one of these entries was shown to the model, the question: the others are dropped.
    said = "The first stage has a hundred limits. [e1]"
    statements = [{"text": said, "seqs": [seq]} for seq in (1, 2, 3, 4)]
    model.add_beside("You sum up the record", says(json.dumps({"statements": statements})))
    visitor = visit("en")
    visitor.ask("Which limits has each step?")
    visitor.read_answer()
    line = visitor.page.locator("details.overload")
    expect(line).to_have_count(1)
    expect(line.locator("summary")).to_contain_text(
        "The model’s memory was full here; what came before was summed up in"
    )
    visitor.keep_picture("closed")
    line.locator("summary").click()
    expect(line).to_contain_text("Read: mill/mill/stage1.py lines 1-100")
    expect(line.get_by_text("The first stage has a hundred limits.")).to_have_count(1)
    visitor.keep_picture("open")
    # Its citation, minted in the closed segment, still opens at its lines (A5).
    visitor.open_citation()
    line.get_by_role("link", name="Open this part on the tape").click()
    expect(visitor.page).to_have_url(re.compile(r"/tapes/\d+\?entry=\d+"))
    first = visitor.page.get_by_role("region", name=re.compile("segment 1"))
    expect(first.get_by_text("read mill/mill/stage1.py")).to_be_visible(timeout=15_000)
    expect(visitor.page.get_by_text("the segment ends here; ").first).to_be_visible()
    visitor.keep_picture("tape")
    assert visitor.complaints == []
