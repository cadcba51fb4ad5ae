"""A page in Chromium: what the tests with the made-up agent and those with real ones have in common."""

import os
import sys
import tempfile
import time
import unittest

from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

AXE = open(sys.argv.pop(1)).read() if len(sys.argv) > 1 and sys.argv[1].endswith(".js") else None
SHOTS = os.environ.get("CLAWRADAR_SHOTS")
# Roles of what can be used, which needs a name.
NAMED = {"button", "textbox", "searchbox", "checkbox", "radio", "combobox", "ColorWell", "dialog", "link"}


class BrowserTest(unittest.TestCase):
    size, theme = (1280, 860), "dark"

    def open(self, address, *more):
        """Opens an address in a browser of its own; `more` are arguments of Chromium."""
        self.profile = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        options = webdriver.ChromeOptions()
        options.binary_location = "/usr/bin/chromium"
        width, height = self.size
        for argument in ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars",
                         f"--window-size={width},{height}", f"--user-data-dir={self.profile.name}", *more]:
            options.add_argument(argument)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        driver = self.driver = webdriver.Chrome(service=Service("/usr/bin/chromedriver"), options=options)
        self.set_media(driver, self.theme)
        driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride",
                               {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False})
        driver.get(address)

    def set_media(self, driver, theme):
        features = [{"name": "prefers-color-scheme", "value": theme}, {"name": "prefers-reduced-motion", "value": "reduce"}]
        driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})

    def close(self):
        """Closes the browser; nothing was refused by the page's policy, and no exception was left alone."""
        problems = [line["message"] for line in self.driver.get_log("browser")
                    if "Content Security" in line["message"] or "Uncaught" in line["message"] or "TrustedHTML" in line["message"]]
        self.driver.quit()
        self.profile.cleanup()
        self.assertEqual(problems, [])

    # Helpers

    def js(self, script, *arguments):
        return self.driver.execute_script(script, *arguments)

    def wait(self, script, seconds=5, *arguments):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            value = self.js(script, *arguments)
            if value:
                return value
            time.sleep(0.05)
        self.fail(f"after {seconds} s still not: {script}\n{self.js('return document.body.innerText')[:1500]}")

    def state(self, row):
        return self.js("return document.querySelector(`[data-id='${arguments[0]}']`)?.dataset.state", row)

    def wait_state(self, row, state, seconds=5):
        self.wait("return document.querySelector(`[data-id='${arguments[0]}']`)?.dataset.state === arguments[1]", seconds, row, state)

    def keys(self, *keys):
        # To whatever has the focus at that moment, as from a keyboard: a row may be drawn anew at any time.
        for key in keys:
            ActionChains(self.driver).send_keys(key).perform()

    def read_out(self):
        """Role and name of everything that a screen reader gets from the browser."""
        self.driver.execute_cdp_cmd("Accessibility.enable", {})
        nodes = self.driver.execute_cdp_cmd("Accessibility.getFullAXTree", {})["nodes"]
        return [(node["role"]["value"], node["name"]["value"]) for node in nodes if not node["ignored"]]

    def check(self, view):
        if SHOTS:
            self.driver.save_screenshot(f"{SHOTS}/{view}-{self.theme}.png")
        overflow = self.js("return document.documentElement.scrollWidth - document.documentElement.clientWidth")
        self.assertLessEqual(overflow, 0, f"{view} is wider than its window")
        self.assertEqual([node for node in self.read_out() if node[0] in NAMED and not node[1]], [], f"{view} has something without a name")
        if not AXE:
            return
        for theme in ["dark", "light"]:
            self.set_media(self.driver, theme)
            self.driver.execute_cdp_cmd("Runtime.evaluate", {"expression": AXE})
            found = self.driver.execute_async_script("""const done = arguments[0];
                axe.run(document, {resultTypes: ['violations']}).then(r => done(r.violations.map(v =>
                  [v.id, v.nodes.slice(0, 3).map(n => n.html.slice(0, 150))])))""")
            self.assertEqual(found, [], f"{view} {theme}")
        self.set_media(self.driver, self.theme)


MOVING = """window.frames = 0; window.times = []; window.drawn = () => window.frames;
const request = window.requestAnimationFrame.bind(window);
window.requestAnimationFrame = (run) => request((time) => {
  const [start, before] = [performance.now(), window.frames];
  run(time);
  if (window.frames !== before) window.times.push(performance.now() - start);
});
const clear = CanvasRenderingContext2D.prototype.clearRect;
CanvasRenderingContext2D.prototype.clearRect = function (...box) { window.frames++; clear.apply(this, box); };"""


class Moving:
    """The constellation, as it is where motion is not to be little."""

    def set_media(self, driver, theme):
        features = [{"name": "prefers-color-scheme", "value": theme}, {"name": "prefers-reduced-motion", "value": "no-preference"}]
        driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})
        if not hasattr(self, "counted"):
            self.counted = driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": MOVING})

    def sky(self, script, *arguments):
        """Asks something of the sky by its twin module, which a page that runs has already."""
        return self.driver.execute_async_script(
            "const done = arguments[arguments.length - 1]; import('/page/skyview.js').then((v) => done((() => {" + script + "})()))", *arguments)

    def point(self, row):
        return self.sky("return v.pointOf(arguments[0])".replace("arguments[0]", repr(row)))

    def tap(self, row, button="click"):
        x, y = self.point(row)
        chain = ActionChains(self.driver)
        chain.w3c_actions.pointer_action.move_to_location(round(x), round(y))
        getattr(chain.w3c_actions.pointer_action, button)()
        chain.perform()
