"""A browser, and a playground to show to it."""

import contextlib
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import unittest

from playwright.sync_api import sync_playwright

import fake

ROOT = pathlib.Path(__file__).resolve().parents[3]
PICTURES = ROOT / ".build/browser"
PROGRAM = os.environ.get("PLAYGROUND", str(ROOT / ".build/release/thumbturn"))
BROWSER = os.environ.get("CHROMIUM") or shutil.which("chromium") or "/usr/bin/chromium"
WIDE, NARROW = {"width": 1280, "height": 900}, {"width": 360, "height": 740}
PIN = "480295"
WORDS = "legal winner thank year wave sausage worth useful legal winner thank yellow"


class BrowserTest(unittest.TestCase):
    """Has a browser for all of a class's tests, and a page for each. What the page writes to its console is a failure."""

    @classmethod
    def setUpClass(cls):
        PICTURES.mkdir(parents=True, exist_ok=True)
        cls.playwright = sync_playwright().start()
        arguments = ["--no-sandbox"] if os.geteuid() == 0 else []
        cls.browser = cls.playwright.chromium.launch(executable_path=BROWSER, args=arguments)

    @classmethod
    def tearDownClass(cls):
        cls.browser.close()
        cls.playwright.stop()

    def setUp(self):
        self.complaints = []

    def tearDown(self):
        self.assertEqual(self.complaints, [], "the page complained")

    @contextlib.contextmanager
    def page(self, address, size=WIDE, dark=False, calm=True, context=None):
        """A page at an address, which has shown its first state."""
        made = context or self.browser.new_context(
            viewport=size, color_scheme="dark" if dark else "light", reduced_motion="reduce" if calm else "no-preference"
        )
        made.set_default_timeout(10_000)
        page = made.new_page()
        page.on("console", lambda message: self.complain(message) if message.type in ("error", "warning") else None)
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.goto(address)
        page.wait_for_function("() => Number(document.body.dataset.revision) > 0 || document.body.dataset.trouble")
        try:
            yield page
        finally:
            made.close()

    def complain(self, message):
        # A server that is away is what some tests are about, and a browser asks for an icon that no page names.
        if "favicon" in message.location.get("url", "") or "ERR_CONNECTION" in message.text or "403" in message.text:
            return
        self.complaints.append(message.text)

    def assertNothingIsMissing(self, page):
        """Each text of the library came, each state has its place, and nothing is wider than the screen."""
        self.assertEqual(re.findall("⟨.*?⟩", page.locator("body").inner_text()), [])
        self.assertEqual(page.locator("[data-unplaced]").count(), 0, "a state has no place in its diagram")
        self.assertEqual(page.locator("[data-unknown]").count(), 0, "a screen is not drawn")
        self.assertLessEqual(
            page.evaluate("document.documentElement.scrollWidth"), page.evaluate("document.documentElement.clientWidth")
        )
        badge = page.locator("#phone .badge").first
        self.assertTrue(badge.is_visible())
        self.assertIn(badge.inner_text(), ("simulated device", "appareil simulé"))

    def settle(self, page, server):
        """Waits until the page shows the newest state of a replayed phone."""
        page.wait_for_function("wanted => document.body.dataset.revision === wanted", arg=str(server.phone.revision))


class FakeTest(BrowserTest):
    """Has a replayed phone for each test."""

    def setUp(self):
        super().setUp()
        self.server = self.enterContext(fake.Server())

    def show(self, page, name):
        self.server.phone.show(name)
        self.settle(page, self.server)


class Program:
    """The real playground, as a child that ends with Ctrl-C."""

    def __init__(self):
        self.process = subprocess.Popen(
            [PROGRAM, "playground", "--port", "0", "--json"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True
        )
        line = self.process.stdout.readline()
        if not line:
            raise RuntimeError(self.process.stderr.read().decode())
        self.address = json.loads(line)["address"]
        self.port = int(re.search(r":(\d+)/", self.address)[1])
        self.token = self.address.partition("token=")[2]

    def end(self):
        """Presses Ctrl-C, and returns what it wrote besides."""
        self.process.send_signal(signal.SIGINT)
        try:
            out, error = self.process.communicate(timeout=10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            raise
        return out + error


@unittest.skipUnless(os.access(PROGRAM, os.X_OK), f"there is no {PROGRAM}: make release")
class ProgramTest(BrowserTest):
    """Has the real playground for a class's tests."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.program = Program()

    @classmethod
    def tearDownClass(cls):
        cls.program.end()
        super().tearDownClass()
