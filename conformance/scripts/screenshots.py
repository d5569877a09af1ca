#!/usr/bin/env python3
"""Looks at a page in Chromium, narrow and wide, light and dark: takes pictures, and fails where it cannot be read.

    conformance/scripts/screenshots.py report.html pictures
    conformance/scripts/screenshots.py --self-test

Checked are: no sideways scrolling, nothing on the console, text in AA contrast (WCAG 2.2: 4.5, large text 3), and the Tab
key, which has to reach every link and every summary and to show where it is. The self test breaks a page in each of these
ways. HEIGHT (3000) is how much of the page the pictures show. Needs Chromium and Python's standard library; no test needs this.
"""
import base64, json, os, pathlib, shutil, subprocess, sys, tempfile

# What the page says of itself. Colours of a text are judged against the first opaque background beneath it.
PROBE = r"""(() => {
  const wrong = [];
  const root = document.documentElement;
  if (root.scrollWidth > innerWidth) wrong.push(`it is ${root.scrollWidth} wide and scrolls sideways`);
  const parts = (colour) => colour.match(/[\d.]+/g).map(Number);
  const light = ([r, g, b]) => [r, g, b].map((c) => c / 255).map((c) => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)
    .reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
  const beneath = (element) => {
    for (let e = element; e; e = e.parentElement) {
      const colour = parts(getComputedStyle(e).backgroundColor);
      if (colour.length < 4 || colour[3] === 1) return colour;
    }
    return matchMedia('(prefers-color-scheme: dark)').matches ? [0, 0, 0] : [255, 255, 255];
  };
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const seen = new Set();
  while (walk.nextNode()) {
    const element = walk.currentNode.parentElement;
    if (!walk.currentNode.data.trim() || seen.has(element) || !element.getClientRects().length) continue;
    seen.add(element);
    const style = getComputedStyle(element), size = parseFloat(style.fontSize);
    const [a, b] = [light(parts(style.color)), light(beneath(element))].sort((x, y) => y - x);
    const ratio = (a + 0.05) / (b + 0.05), large = size >= 24 || (size >= 18.66 && style.fontWeight >= 700);
    if (ratio < (large ? 3 : 4.5)) wrong.push(`contrast ${ratio.toFixed(2)}: ${walk.currentNode.data.trim().slice(0, 40)}`);
    if (size < 12) wrong.push(`${size} px small: ${walk.currentNode.data.trim().slice(0, 40)}`);
  }
  return wrong;
})()"""

MARK = """(() => { const all = [...document.querySelectorAll('a[href], summary, button, input')].filter((e) => e.getClientRects().length);
  window.unreached = new Set(all); window.unshown = []; return all.length; })()"""

FOCUSED = """(() => { const e = document.activeElement; window.unreached.delete(e); const s = getComputedStyle(e);
  if (e !== document.body && (s.outlineStyle === 'none' || parseFloat(s.outlineWidth) < 2)) window.unshown.push(e.textContent.slice(0, 40)); })()"""

LEFT = """[...[...window.unreached].map((e) => 'Tab does not reach: ' + e.textContent.slice(0, 40)),
  ...window.unshown.map((e) => 'focus does not show: ' + e)]"""


class Browser:
    """One Chromium, spoken to through a pipe."""

    def __init__(self):
        program = next(filter(None, map(shutil.which, ["chromium", "chromium-browser", "google-chrome"])), None)
        if not program:
            sys.exit("no Chromium is installed")
        self.profile = tempfile.TemporaryDirectory()
        read, self.out = os.pipe()
        self.inp, write = os.pipe()
        # Chromium reads from descriptor 3 and writes to 4.
        command = f'exec "$0" "$@" 3<&{read} 4>&{write}'
        arguments = ["--headless=new", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe", f"--user-data-dir={self.profile.name}"]
        self.process = subprocess.Popen(["bash", "-c", command, program, *arguments, "about:blank"], pass_fds=[read, write],
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(read), os.close(write)
        self.buffer, self.count, self.session, self.console, self.loaded = b"", 0, None, [], False
        target = self.ask("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.ask("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ["Page", "Runtime", "Log"]:
            self.ask(f"{domain}.enable")

    def close(self):
        self.session = None
        self.ask("Browser.close")
        self.process.wait(30)
        self.profile.cleanup()

    def message(self):
        while b"\0" not in self.buffer:
            more = os.read(self.inp, 1 << 20)
            if not more:
                sys.exit("Chromium has ended")
            self.buffer += more
        text, self.buffer = self.buffer.split(b"\0", 1)
        message = json.loads(text)
        method, params = message.get("method"), message.get("params", {})
        if method == "Runtime.consoleAPICalled" and params["type"] in ["error", "warning", "assert"]:
            self.console.append(str(params["args"][:1]))
        elif method == "Runtime.exceptionThrown":
            self.console.append(params["exceptionDetails"]["text"])
        elif method == "Log.entryAdded" and params["entry"]["level"] in ["error", "warning"]:
            self.console.append(params["entry"]["text"])
        elif method == "Page.loadEventFired":
            self.loaded = True
        return message

    def ask(self, method, **params):
        self.count += 1
        request = {"id": self.count, "method": method, "params": params}
        if self.session:
            request["sessionId"] = self.session
        os.write(self.out, json.dumps(request).encode() + b"\0")
        while (message := self.message()).get("id") != self.count:
            pass
        if "error" in message:
            sys.exit(f"{method}: {message['error']['message']}")
        return message["result"]

    def run(self, script):
        return self.ask("Runtime.evaluate", expression=script, returnByValue=True)["result"].get("value")

    def look(self, path, width, scheme, picture=None):
        """Everything that is wrong with a page at this width and in this scheme."""
        self.console, self.loaded = [], False
        self.ask("Emulation.setDeviceMetricsOverride", width=width, height=900, deviceScaleFactor=1, mobile=False)
        self.ask("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
        self.ask("Page.navigate", url=pathlib.Path(path).resolve().as_uri())
        while not self.loaded:
            self.message()
        if picture:
            # A whole report is longer than most viewers can show.
            clip = {"x": 0, "y": 0, "width": width, "height": int(os.environ.get("HEIGHT", "3000")), "scale": 1}
            shot = self.ask("Page.captureScreenshot", captureBeyondViewport=True, clip=clip)["data"]
            picture.write_bytes(base64.b64decode(shot))
        # What is folded away is judged, too.
        self.run("document.querySelectorAll('details').forEach((e) => { e.open = true; })")
        wrong = self.run(PROBE)
        for _ in range(self.run(MARK) + 2):
            for kind in ["keyDown", "keyUp"]:
                self.ask("Input.dispatchKeyEvent", type=kind, key="Tab", code="Tab", windowsVirtualKeyCode=9)
            self.run(FOCUSED)
        return wrong + self.run(LEFT) + [f"console: {line}" for line in self.console]


def self_test(browser):
    """A page without a fault, and one with each."""
    page = """<!doctype html><html lang=en><meta charset=utf-8><meta name=color-scheme content="light dark"><title>t</title>
      <style>:focus-visible { outline: 3px solid } a { color: LinkText }</style><p>Text</p><a href="#x">link</a>"""
    faults = {"scrolls sideways": "<div style='width: 2000px'>wide</div>", "contrast": "<p style='color: #888; background: #999'>pale</p>",
              "px small": "<p style='font-size: 9px'>tiny</p>", "does not reach": "<a href='#y' tabindex=-1>never</a>",
              "does not show": "<a href='#z' style='outline: none'>hidden focus</a>", "console": "<script>console.error('no')</script>"}
    failed = []
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "page.html")
        for name, fault in {"": "", **faults}.items():
            path.write_text(page + fault)
            found = browser.look(path, 360, "light")
            if (not name and found) or (name and not any(name in one for one in found)):
                failed.append(f"{name or 'no fault'}: {found}")
    return failed


def main(arguments):
    browser = Browser()
    wrong = []
    if arguments == ["--self-test"]:
        wrong = self_test(browser)
    else:
        folder = pathlib.Path(arguments[1] if len(arguments) > 1 else "pictures")
        folder.mkdir(parents=True, exist_ok=True)
        for scheme in ["light", "dark"]:
            for width in [360, 1440]:
                picture = folder / f"{width}-{scheme}.png"
                wrong += [f"{picture.stem}: {one}" for one in browser.look(arguments[0], width, scheme, picture)]
                print(picture)
    browser.close()
    print("\n".join(wrong) or "nothing is wrong", file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    if len(sys.argv) < 2 or sys.argv[1] in ["-h", "--help"]:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1:]))
