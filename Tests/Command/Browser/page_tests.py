"""What the page makes of a state, whichever phone tells it."""

import json
import re
import unittest

import fake
from harness import NARROW, PICTURES, PIN, ROOT, WIDE, FakeTest


class StateTests(FakeTest):
    """Every state that is kept, and every error."""

    def test_every_state_is_drawn_in_both_languages_and_sizes(self):
        names = [name for name in self.server.phone.replay["states"] if not name.startswith("un")]
        for size, look in ((WIDE, "wide"), (NARROW, "narrow")):
            for language in ("en", "fr"):
                with self.page(self.server.address, size) as page:
                    self.server.phone.language = language
                    for name in names:
                        with self.subTest(name=name, language=language, look=look):
                            self.show(page, name)
                            self.go_to(page, self.server.phone.replay["states"][name].get("place"))
                            self.assertNothingIsMissing(page)
                            self.assertNotEqual(page.locator("#phone .screen").inner_text().strip(), "")
                            if (look, language) in (("wide", "en"), ("narrow", "fr")):
                                page.screenshot(path=PICTURES / f"state-{name.replace(' ', '-')}-{look}-{language}.png")

    def go_to(self, page, place):
        """Goes to where a state shows: a page of the settings, or their list ("")."""
        if place is None:
            return
        page.locator('.tabs [data-k="security"]').click()
        if place:
            page.locator(f'.pane [data-k="{place}"]').click()
            page.locator(f'.pane [data-k="{place}"]').wait_for(state="detached")

    def test_every_error_is_shown_in_both_languages(self):
        phone = self.server.phone
        with self.page(self.server.address) as page:
            for which, language in enumerate(("en", "fr")):
                phone.language = language
                for name, error in phone.errors.items():
                    phone.replay["states"]["this error"] = {"set": {"host.screens.unlock.notice": f"$e:{name}"}}
                    self.show(page, "this error")
                    said = page.locator("#phone .notice").inner_text()
                    self.assertIn(error["texts"][which], said)
                    self.assertIn(error["code"], said)
                    self.assertIn(error["texts"][which], page.locator("#said").inner_text())

    def test_a_state_without_a_place_is_drawn_and_marked(self):
        with self.page(self.server.address) as page:
            self.show(page, "unplaced")
            self.assertEqual(page.locator("[data-unplaced]").get_attribute("data-state"), "aNewState")

    def test_a_screen_that_the_page_does_not_know_is_named(self):
        with self.page(self.server.address) as page:
            self.show(page, "unworded")
            self.assertEqual(page.locator("[data-unknown]").inner_text(), "aNewScreen")

    def test_a_screen_of_a_later_library_is_drawn_from_what_it_offers(self):
        with self.page(self.server.address) as page:
            self.show(page, "a later screen")
            page.get_by_role("button", name="Security").click()
            page.get_by_role("button", name="Choose a new PIN").click()
            self.assertIn("Type the new PIN again", page.locator("#phone .screen").inner_text())
            page.locator("#field-offer-pinChange-submitSecret").fill(PIN)
            page.keyboard.press("Enter")
            page.locator("#field-offer-pinChange-rename").fill("Travel")
            page.keyboard.press("Enter")
            page.get_by_role("button", name="Skip").click()
            page.wait_for_timeout(100)
            self.assertEqual(self.server.phone.heard[-3:], [
                "act pinChange.submitSecret right", "act pinChange.rename", "act pinChange.cancel",
            ])
            self.assertNotIn(PIN, page.content())

    def test_who_cannot_open_it_is_led_out(self):
        with self.page(self.server.address) as page:
            self.show(page, "locked")
            page.get_by_role("button", name="I can't open it").click()
            page.get_by_role("button", name="I have no recovery key").click()
            page.locator("#phone .screen", has_text="RESET").wait_for()
            page.get_by_role("button", name="Use your recovery key").click()
            page.locator("#field-offer-recover-submitSecret").fill("test-recovery-key")
            page.keyboard.press("Enter")
            page.get_by_role("heading", name="Open the vault another way").wait_for()
            page.wait_for_selector(".pad")
            page.keyboard.type(PIN)
            page.wait_for_selector(".tabs")

    def test_what_happened_is_listed(self):
        with self.page(self.server.address) as page:
            self.show(page, "settings")
            page.get_by_role("button", name="Security").click()
            page.get_by_role("button", name="What happened").click()
            self.assertEqual(page.locator(".events li").count(), 2)
            self.assertEqual(self.server.phone.heard[-1], "act trail.read")

    def test_a_wait_is_counted_down(self):
        with self.page(self.server.address) as page:
            self.show(page, "wait")
            first = page.locator("#countdown").inner_text()
            page.wait_for_function("first => document.getElementById('countdown').textContent !== first", arg=first)

    def test_the_lit_state_is_the_phones(self):
        with self.page(self.server.address) as page:
            for name, state, box in (("prompt", "promptingBiometrics", None), ("open", "unlocked", "biometric")):
                self.show(page, name)
                self.assertEqual(page.locator('[data-machine="unlock"] .state.lit').get_attribute("data-state"), state)
                opened = page.locator(".box.open")
                self.assertEqual(opened.get_attribute("data-slot") if opened.count() else None, box)


class SecretTests(FakeTest):
    """What is typed leaves the page behind a JSON line, and leaves nothing in it."""

    def bodies(self, page):
        found = []
        page.on("request", lambda request: found.append((request.url, request.post_data_buffer)))
        return found

    def assertIsGone(self, page, secret):
        self.assertNotIn(secret, page.content())
        values = page.evaluate("[...document.querySelectorAll('input, textarea')].map(field => field.value).join()")
        self.assertNotIn(secret, values)

    def test_a_typed_pin_goes_as_bytes_behind_the_line(self):
        with self.page(self.server.address) as page:
            self.show(page, "locked")
            bodies = self.bodies(page)
            page.locator("#phone").focus()
            page.keyboard.type(PIN)
            page.wait_for_selector(".tabs")
            line, _, secret = bodies[-1 if bodies[-1][1] else -2][1].partition(b"\n")
            self.assertEqual(line, b'{"act":{"screen":"unlock","name":"submitSecret","secret":"taken"}}')
            self.assertEqual(secret, PIN.encode())
            self.assertIsGone(page, PIN)
            self.assertFalse(any(PIN in url for url, _ in bodies))

    def test_five_digits_are_in_no_attribute_and_the_pad_forgets_them_with_the_screen(self):
        with self.page(self.server.address) as page:
            self.show(page, "locked")
            page.locator("#phone").focus()
            page.keyboard.type(PIN[:5])
            self.assertEqual(page.locator(".dot.full").count(), 5)
            self.assertNotIn(PIN[:5], page.content())
            self.show(page, "covered")
            self.show(page, "locked")
            self.assertEqual(page.locator(".dot.full").count(), 0)

    def test_a_touched_key_looks_the_same(self):
        """P-107-04: an onlooker does not see which key it was."""
        with self.page(self.server.address) as page:
            self.show(page, "locked")
            key = page.locator(".pad .key").nth(4)
            page.mouse.move(1, 1)
            before = key.screenshot()
            box = key.bounding_box()
            page.mouse.move(box["x"] + 20, box["y"] + 20)
            page.mouse.down()
            self.assertEqual(key.screenshot(), before)
            page.mouse.up()
            self.assertEqual(key.screenshot(), before)

    def test_a_recovery_key_leaves_its_field(self):
        with self.page(self.server.address) as page:
            self.show(page, "recovery")
            bodies = self.bodies(page)
            page.locator("#field-recovery").fill("test-recovery-key")
            page.keyboard.press("Enter")
            page.wait_for_function("() => document.getElementById('field-recovery').value === ''")
            self.assertIsGone(page, "test-recovery-key")
            self.assertTrue(any(body and body.endswith(b"\ntest-recovery-key") for _, body in bodies))

    def test_what_was_shown_belongs_to_its_step(self):
        with self.page(self.server.address) as page:
            self.show(page, "words shown")
            page.get_by_role("button", name="Show the words").click()
            page.wait_for_selector(".secret")
            page.get_by_role("button", name="I have written them down").click()
            page.locator("#field-offer-words-answer").wait_for()
            self.assertIsGone(page, "legal winner")
            page.locator("#field-offer-words-answer").fill("yellow")
            page.keyboard.press("Enter")
            page.get_by_role("heading", name="Wallets").wait_for()
            self.assertIsGone(page, "yellow")

    def test_shown_words_are_gone_when_the_phone_locks(self):
        with self.page(self.server.address) as page:
            self.show(page, "open by PIN")
            page.get_by_role("button", name="Show the words").first.click()
            page.wait_for_selector(".pad")
            page.keyboard.type(PIN)
            page.wait_for_selector(".pad", state="detached")
            page.get_by_role("button", name="Show the words").click()
            page.wait_for_selector(".secret")
            self.assertIn("legal winner", page.locator(".secret").inner_text())
            page.get_by_role("button", name="Lock", exact=True).click()
            page.wait_for_selector(".pad")
            self.assertIsGone(page, "legal winner")


class KeyboardTests(FakeTest):
    """Without a mouse, and for who listens."""

    def tab_to(self, page, name, most=60):
        for _ in range(most):
            page.keyboard.press("Tab")
            text = page.evaluate("document.activeElement.getAttribute('aria-label') || document.activeElement.textContent")
            if text.strip() == name:
                return
        self.fail(f"Tab does not get to {name}")

    def test_a_vault_is_made_and_biometrics_turned_off_without_a_mouse(self):
        with self.page(self.server.address) as page:
            self.show(page, "new")
            page.keyboard.press("Tab")
            self.assertEqual(page.evaluate("document.activeElement.id"), "skip-phone")
            page.keyboard.press("Enter")
            page.get_by_role("heading", name="Choose a new PIN").wait_for()
            page.keyboard.type(PIN)
            page.get_by_role("heading", name="Type the new PIN again").wait_for()
            page.keyboard.type(PIN)
            page.get_by_role("heading", name="Enable Biometric Unlock?").wait_for()
            self.tab_to(page, "Enable")
            page.keyboard.press("Enter")
            page.wait_for_selector(".tabs")
            self.tab_to(page, "Security")
            page.keyboard.press("Enter")
            self.tab_to(page, "Biometric Unlock")
            page.keyboard.press("Space")
            page.wait_for_selector(".pad")
            page.keyboard.type(PIN)
            page.wait_for_selector('[role="switch"][aria-checked="false"]')

    def test_a_prompt_takes_the_focus_and_gives_it_back(self):
        with self.page(self.server.address) as page:
            self.show(page, "locked")
            page.get_by_role("button", name="Unlock with Touch ID").focus()
            page.keyboard.press("Enter")
            page.wait_for_function("() => document.activeElement.id === 'prompt-reason'")
            self.assertEqual(page.locator('[role="dialog"]').count(), 1)
            self.assertTrue(page.locator("#phone .screen").evaluate("screen => screen.inert"))
            self.tab_to(page, "Cancel")
            page.keyboard.press("Enter")
            page.wait_for_function("() => document.activeElement.id === 'phone-screen'")
            self.assertIn("Authentication was cancelled.", page.locator("#said").inner_text())

    def test_everything_that_can_be_touched_has_a_name(self):
        with self.page(self.server.address) as page:
            for name in ("prompt", "locked", "open", "wait", "offer", "new", "killed", "recovery"):
                self.show(page, name)
                unnamed = page.evaluate(
                    """() => [...document.querySelectorAll('button, input, textarea, a, summary, [role]')]
                        .filter(one => one.checkVisibility() && !one.closest('[aria-hidden]') && one.id !== 'said'
                            && !(one.getAttribute('aria-label') || one.getAttribute('aria-labelledby')
                                || (one.labels && one.labels.length) || one.textContent.trim()))
                        .map(one => one.outerHTML)"""
                )
                self.assertEqual(unnamed, [], name)

    def test_the_tree_of_a_screen_reader(self):
        with self.page(self.server.address) as page:
            self.show(page, "locked")
            tree = page.locator("body").aria_snapshot()
            for part in (
                "banner:", "main:", 'region "Phone (simulated device)":', 'heading "Locked" [level=2]', 'img "PIN: Digits entered: 0"',
                'button "Delete the last digit"', 'region "The world":', 'group "Answer the prompt":', 'button "Right finger" [disabled]', 'region "Inside":', "status:",
                'listitem [current]' if "[current]" in tree else "listitem",
            ):
                self.assertIn(part, tree)

    def test_contrast_is_enough_in_both_schemes(self):
        for dark in (False, True):
            with self.page(self.server.address, dark=dark) as page:
                for name in ("locked", "open", "prompt", "wrong"):
                    self.show(page, name)
                    self.assertEqual(page.evaluate(CONTRAST), [], (name, dark))


# Texts whose colour is less than 4.5 times as bright or dark as what is behind them (WCAG 1.4.3).
CONTRAST = """() => {
    const parse = (text) => {
        const [r, g, b, a = 1] = text.match(/[\\d.]+/g).map(Number);
        return { rgb: [r, g, b], a };
    };
    const luminance = (rgb) => rgb.map((one) => one / 255)
        .map((one) => (one <= 0.03928 ? one / 12.92 : ((one + 0.055) / 1.055) ** 2.4))
        .reduce((sum, one, index) => sum + one * [0.2126, 0.7152, 0.0722][index], 0);
    const behind = (element) => {
        for (let one = element; one; one = one.parentElement) {
            const found = parse(getComputedStyle(one).backgroundColor);
            if (found.a === 1) return found.rgb;
        }
        return [255, 255, 255];
    };
    const faint = [];
    for (const element of document.querySelectorAll('body *')) {
        if (element.closest('svg, [inert], :disabled, .skip, .unseen') || !element.checkVisibility()) continue;
        if (![...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim())) continue;
        let opacity = 1;
        for (let one = element; one; one = one.parentElement) opacity *= Number(getComputedStyle(one).opacity);
        const [back, text] = [behind(element), parse(getComputedStyle(element).color).rgb];
        const mixed = text.map((one, index) => one * opacity + back[index] * (1 - opacity));
        const [light, dark] = [luminance(mixed), luminance(back)].sort((a, b) => b - a);
        const ratio = (light + 0.05) / (dark + 0.05);
        if (ratio < 4.5) faint.push(`${element.textContent.trim().slice(0, 40)}: ${ratio.toFixed(2)}`);
    }
    return faint;
}"""


class InsideTests(FakeTest):
    """The trail's verifier, the thief, and a tour, as the page shows what it is told."""

    def test_a_letter_that_is_changed_by_hand_is_found(self):
        with self.page(self.server.address) as page:
            self.show(page, "open by PIN")
            page.get_by_role("button", name="Verify an export").click()
            page.locator("#field-trail").fill(PIN)
            page.keyboard.press("Enter")
            page.locator(".finding.whole").wait_for()
            self.assertNotIn(PIN, page.content())
            field = page.locator("#export")
            field.fill(field.input_value().replace("BIOMETRIC_ENABLED", "BIOMETRIC_DISABLED"))
            page.get_by_role("button", name="Verify again").click()
            page.locator(".finding.broken").wait_for()
            self.assertIn("Broken at record 2", page.locator(".finding").inner_text())

    def test_a_record_opens_and_stays_open(self):
        with self.page(self.server.address) as page:
            self.show(page, "locked")
            page.locator(".records summary").first.click()
            self.show(page, "wrong")
            opened = page.locator(".records details[open]")
            self.assertEqual(opened.count(), 1)
            self.assertIn("BIOMETRIC_AUTH_SUCCESS", opened.inner_text())

    def test_the_thiefs_tries_are_shown_without_their_pins(self):
        with self.page(self.server.address) as page:
            self.show(page, "locked")
            page.locator("#pins").fill(f"123123 {PIN}")
            page.keyboard.press("Enter")
            page.locator("#inside table").wait_for()
            self.assertEqual(page.locator("#inside tbody tr").count(), 4)
            self.assertNotIn(PIN, page.content())
            self.assertIn("ms", page.locator("#inside table").inner_text())

    def test_a_link_leads_through_a_tour_and_out(self):
        self.server.phone.show("new")
        with self.page(self.server.address) as page:
            page.goto(page.url + "#tour=003-biometric-unlock")
            bar = page.locator("#tour")
            bar.get_by_role("button", name="Next").click()
            page.wait_for_function("() => document.getElementById('tour').dataset.running === 'false'")
            self.assertEqual(bar.get_attribute("data-failed"), "")
            self.assertIn("a PIN, the PIN again", bar.get_by_role("status").inner_text())
            self.assertEqual(page.locator("#phone.looked").count(), 1)
            bar.get_by_role("button", name="Leave the tour").click()
            bar.wait_for(state="hidden")
            self.assertFalse(any(event.endswith("wrong") for event in self.server.phone.heard))


class LinkTests(FakeTest):
    """The page and its server."""

    def test_a_server_that_ends_is_said_and_recovered_from(self):
        with self.page(self.server.address) as page:
            self.server.__exit__()
            page.wait_for_selector('[role="alert"]')
            again = fake.Server(self.server.server_port)
            again.token = self.server.token
            with again:
                page.wait_for_selector('[role="alert"]', state="detached")

    def test_a_page_without_a_token_says_so(self):
        with self.page(self.server.address) as page:
            page.context.clear_cookies()
            self.server.phone.show("open")
            page.wait_for_selector('[data-trouble="token"]', state="attached")
            self.assertIn("no token", page.locator('[role="alert"]').inner_text())

    def test_two_pages_show_one_phone_and_a_reload_comes_back(self):
        with self.page(self.server.address) as first, self.page(self.server.address) as second:
            first.get_by_role("button", name="Right finger").first.click()
            for page in (first, second):
                page.wait_for_selector(".tabs")
            first.reload()
            first.wait_for_selector(".tabs")

    def test_a_killed_phone_is_started_again(self):
        with self.page(self.server.address) as page:
            page.get_by_role("button", name="Kill the app now").click()
            page.get_by_role("button", name="Start the app").click()
            page.wait_for_selector(".sheet")

    def test_without_a_service_the_page_says_so_and_shows_the_rest(self):
        self.server.phone.has_service = False
        with self.page(self.server.address) as page:
            self.show(page, "locked")
            page.get_by_text("No thumbturnd is installed here").wait_for()
            self.assertTrue(page.get_by_role("button", name="With an account").is_disabled())
            self.assertEqual(page.locator('.drop a[href="#tour=002-account"]').count(), 0)
            self.assertEqual(page.locator('.drop a[href="#tour=002-unlock"]').count(), 1)
            page.get_by_role("heading", name="Locked").wait_for()

    def test_the_token_is_not_in_the_address(self):
        with self.page(self.server.address) as page:
            self.assertNotIn("token", page.url)
            self.assertNotIn(self.server.token, page.content())
            self.assertNotIn(self.server.token, page.evaluate("document.cookie"))

    def test_the_language_is_the_phones(self):
        with self.page(self.server.address) as page:
            self.show(page, "locked")
            page.get_by_role("button", name="FR").click()
            page.get_by_role("heading", name="Verrouillé").wait_for()
            self.assertEqual(page.evaluate("document.documentElement.lang"), "fr")
            self.assertIn("Le monde", page.locator("#world").inner_text())


class FileTests(unittest.TestCase):
    """The files of the page."""

    folder = ROOT / "Sources/Command/ThumbturnPlayground/Page"

    def texts(self):
        return {file.name: file.read_text("utf-8") for file in self.folder.iterdir()}

    def test_they_are_small_and_name_no_other_host(self):
        texts = self.texts()
        self.assertLessEqual(sum(len(text.encode()) for text in texts.values()), 300_000)
        for name, text in texts.items():
            hosts = set(re.findall(r"https?://[^\s\"')]+", text)) - {"http://www.w3.org/2000/svg"}
            self.assertEqual(hosts, set(), name)

    def test_nothing_is_inline_and_nothing_is_parsed_from_a_text(self):
        texts = self.texts()
        self.assertIsNone(re.search(r"<style|style=|<script>|\son\w+=", texts["page.html"]))
        self.assertIsNone(re.search(r"innerHTML|outerHTML|insertAdjacent|document\.write|eval\(|setAttribute\(\"style", texts["page.js"]))

    def test_each_tour_is_told_in_both_languages_and_its_parts_are_there(self):
        told = json.loads(self.texts()["tours.json"])
        self.assertEqual(len({tour["name"] for tour in told["tours"]}), len(told["tours"]))
        self.assertEqual(sum(tour["group"] == "attacks" for tour in told["tours"]), 6)
        seeds = {tour["name"][:3] for tour in told["tours"] if tour["group"] == "documents"}
        self.assertEqual(seeds, {"000", "001", "002", "003", "004"})
        orders = [order for part in told["parts"].values() for order in part]
        for tour in told["tours"]:
            texts = [tour["title"], tour["about"]] + [step["say"] for step in tour["steps"]]
            self.assertTrue(all(text["en"] and text["fr"] for text in texts), tour["name"])
            orders += [order for step in tour["steps"] for order in step.get("do", [])]
        for order in orders:
            self.assertIn(order.get("part", "lock"), told["parts"])
            secret = order.get("secret", "pin")
            self.assertLessEqual({secret} if isinstance(secret, str) else set(secret), {*told["secrets"], "kept"})

    def test_both_languages_have_every_label(self):
        block = re.search(r"const LABELS = \{(.*?)\n\};", self.texts()["page.js"], re.S)[1]
        english, french = (set(re.findall(r"[\s{,]\"?([\w-]+)\"?: \"", part)) for part in block.split("    fr: {"))
        self.assertEqual(english - {"en"}, french)

    def test_each_rule_of_the_policy_has_a_french_name(self):
        names = (fake.RULES.parent / "../Screens/ThumbturnScreenJSON/Names/StrongFactorReason+Name.swift").read_text("utf-8")
        reasons = set(re.findall(r"case \.(\w+): \"\1\"", names.partition("extension SessionScope")[0]))
        self.assertGreater(len(reasons), 15)
        block = re.search(r"const RULES = \{(.*?)\n\};", self.texts()["page.js"], re.S)[1]
        self.assertEqual(
            set(re.findall(r"(\w+): \"", block)),
            reasons | {"storageUnavailable", "resetPending", "promptSystem", "promptBiometrics"},
        )

    def test_no_text_of_the_library_is_written_twice(self):
        page = self.texts()["page.js"]
        said = {text for texts in fake.library_words().values() for text in texts if len(text) > 24}
        said |= {text for error in fake.library_errors().values() for text in error["texts"]}
        self.assertEqual({text for text in said if text in page}, set())


if __name__ == "__main__":
    unittest.main()
