"""A person at a browser: what they do and what they see, in the words of the pages."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from playwright.sync_api import Error, Locator, Page, expect

if TYPE_CHECKING:
    from playwright.sync_api import ConsoleMessage

SCREENSHOTS = Path(__file__).parent / "screenshots"
ANSWER_MILLISECONDS = 30_000


class Visitor:
    """One browser page and its visitor; anything the page complains about fails the test."""

    def __init__(self, page: Page, *, test: str) -> None:
        """Sit down at a fresh page."""
        self.page = page
        self.complaints: list[str] = []
        self.sizing = ""
        self._test = re.sub(r"\W+", "-", test)
        page.on("pageerror", lambda error: self._complain(str(error)))
        page.on("console", self._heard)

    def _complain(self, text: str) -> None:
        self.complaints.append(text)

    def _heard(self, message: ConsoleMessage) -> None:
        # Chromium logs every refused request by itself; the page has its own words for those.
        if message.type == "error" and "Failed to load resource" not in message.text:
            self._complain(message.text)

    def sign_in(self, name: str, password: str) -> None:
        """From the sign-in page to the first page."""
        self.page.goto("/sign-in")
        self.page.locator("input[name=username]").fill(name)
        self.page.locator("input[name=password]").fill(password)
        self.page.locator("form button[type=submit]").click()
        expect(self.question).to_be_visible()

    @property
    def question(self) -> Locator:
        """The text field of the composer."""
        return self.page.locator("#question")

    @property
    def turns(self) -> Locator:
        """The turns of the topic in view."""
        return self.page.locator("article.turn")

    @property
    def steps(self) -> Locator:
        """The steps of all turns in view."""
        return self.page.locator(".steps li")

    @property
    def answers(self) -> Locator:
        """Answers that are finished."""
        return self.page.locator(".answer:not(.writing)")

    @property
    def citations(self) -> Locator:
        """Citations inside answers."""
        return self.page.locator(".answer .citation")

    @property
    def panel(self) -> Locator:
        """The evidence panel."""
        return self.page.locator("aside.panel")

    def note_order(self) -> None:
        """From now on note what appears, in its order; `seen()` tells."""
        self.page.evaluate(
            """() => {
                window.appeared = [];
                const sought = {step: '.steps li', writing: '.answer.writing', answer: '.answer:not(.writing)'};
                const look = () => Object.entries(sought).forEach(([name, selector]) => {
                    if (!window.appeared.includes(name) && document.querySelector(selector)) window.appeared.push(name);
                });
                new MutationObserver(look).observe(document, {childList: true, subtree: true, attributes: true});
            }"""
        )

    def seen(self) -> list[str]:
        """What appeared since `note_order`: step, writing, answer."""
        return list(self.page.evaluate("window.appeared"))

    def ask(self, text: str) -> None:
        """Type a question and press Enter; the topic is in view afterwards."""
        self.question.fill(text)
        self.question.press("Enter")
        expect(self.page).to_have_url(re.compile(r"/topics/\d+"))
        expect(self.turns.filter(has_text=text)).to_be_visible()

    def read_answer(self, number: int = 0) -> Locator:
        """Wait for an answer of the topic in view and give it."""
        answer = self.answers.nth(number)
        expect(answer).to_be_visible(timeout=ANSWER_MILLISECONDS)
        return answer

    def open_citation(self, number: int = 0) -> Locator:
        """Press a citation; its lines are marked afterwards."""
        self.citations.nth(number).click()
        marked = self.panel.locator("tr.cited")
        expect(marked.first).to_be_visible()
        return marked

    def new_topic(self) -> None:
        """Press New topic."""
        self.page.locator("nav.side a.button").click()
        expect(self.question).to_be_focused()

    def keep_picture(self, name: str, *, full: bool = False) -> None:
        """Keep a screenshot of what is in view."""
        SCREENSHOTS.mkdir(exist_ok=True)
        self.page.screenshot(path=SCREENSHOTS / f"{self._test}-{name}.png", full_page=full)

    def settle(self) -> None:
        """Wait until the page has nothing more to fetch, apart from its open stream."""
        try:
            self.page.wait_for_load_state("networkidle", timeout=1_500)
        except Error:
            # An open stream keeps the network busy; what is in view is there by now.
            self.page.wait_for_timeout(200)
