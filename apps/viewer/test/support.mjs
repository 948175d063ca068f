// What the tests and the measurements of the viewer share: results, the program, pages that must behave.
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

export const root = resolve(dirname(fileURLToPath(import.meta.url)), "../../..");
export const program = process.env.CAROM_PROGRAM;
export const pictures = process.env.CAROM_PICTURES ?? join(tmpdir(), "carom-viewer");
const browserPath = process.env.CAROM_CHROMIUM ?? "/usr/bin/chromium";
if (!program) throw new Error("set CAROM_PROGRAM to the program to test");
if (!existsSync(browserPath)) throw new Error(`no ${browserPath}; install the Debian package chromium`);
mkdirSync(pictures, { recursive: true });
export const folder = mkdtempSync(join(tmpdir(), "carom-viewer-"));

const flags = [
  "--no-sandbox", "--disable-gpu", "--enable-unsafe-swiftshader", "--disable-background-networking",
  "--disable-component-update", "--disable-sync", "--no-first-run",
];
export const launch = () => chromium.launch({ executablePath: browserPath, headless: true, args: flags });

export function run(model, ...words) {
  const result = join(folder, `${model.replaceAll("/", "_")}${words.join("").replace(/\W/g, "")}.h5`);
  execFileSync(program, ["run", resolve(root, model), "-o", result, "--quiet", ...words], { stdio: "ignore" });
  return result;
}
export function write(name, text) {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
}
// A long run of a small mechanism.
export const pendulum = (end, every) => `
[model]
name = "A pendulum"
plane = "xy"
gravity = [0, -9.81]
[[body]]
name = "rod"
mass = 2
inertia = 0.1
position = [0.5, 0]
[[joint]]
name = "pivot"
type = "revolute"
bodies = ["ground", "rod"]
at = [0, 0]
[solver]
end = ${end}
[output]
every = ${every}
`;
export const runText = (name, text) => run(write(`${name}.toml`, text));

// Starts `carom view`, waits for its address, hands it to `use`, and stops it as Ctrl-C does.
export async function viewing(files, use) {
  const viewer = spawn(program, ["view", ...[files].flat(), "--no-open"], { stdio: ["ignore", "pipe", "inherit"], cwd: folder });
  try {
    const address = await new Promise((found, fail) => {
      let text = "";
      viewer.stdout.on("data", (data) => {
        text += data;
        const match = text.match(/http:\/\/127\.0\.0\.1:\d+\/[0-9a-f]{32}\//);
        if (match) found(match[0]);
      });
      viewer.on("exit", () => fail(new Error(`carom view ${files} ended`)));
    });
    await use(address);
  } finally {
    const ended = new Promise((done) => viewer.on("exit", (code) => done(code)));
    viewer.kill("SIGINT");
    assert.equal(await ended, 0, "Ctrl-C ends the viewer cleanly");
  }
}

export const desktop = { width: 1440, height: 900 };
export const laptop = { width: 1024, height: 768 };
export const phone = { width: 390, height: 844 };

// A page whose complaints, and requests to elsewhere, are kept.
export async function watchedPage(browser, address, size, colorScheme) {
  const context = await browser.newContext({ viewport: size, colorScheme });
  context.setDefaultTimeout(90000);
  const page = await context.newPage();
  page.complaints = [];
  page.on("console", (message) => {
    if (message.type() === "error") page.complaints.push(`${message.text()} (${message.location().url})`);
  });
  page.on("pageerror", (error) => page.complaints.push(String(error)));
  page.on("request", (request) => {
    if (!request.url().startsWith(address.replace(/#.*/, "")) && !/^(data|blob):/.test(request.url())) page.complaints.push(`asked ${request.url()}`);
  });
  await page.goto(address);
  return page;
}
// One of the viewer, that must neither complain nor ask anybody else.
export async function openPage(browser, address, size = desktop, colorScheme = "light") {
  const page = await watchedPage(browser, address, size, colorScheme);
  await ready(page);
  return page;
}
export async function ready(page) {
  await page.waitForFunction(() => window.caromViewer?.ready && document.querySelectorAll(".plot-box").length === document.querySelectorAll(".plot-box > *").length);
  await page.waitForTimeout(150);
}
export async function closePage(page) {
  assert.deepEqual(page.complaints, []);
  await page.context().close();
}

// How many colours the picture of the scene has; an empty one has one.
export const colorsIn = (page, canvas = "#scene canvas") =>
  page.evaluate((canvas) => {
    const source = document.querySelector(canvas);
    const copy = new OffscreenCanvas(source.width, source.height);
    const context = copy.getContext("2d");
    context.drawImage(source, 0, 0);
    const { data } = context.getImageData(0, 0, copy.width, copy.height);
    const colors = new Set();
    for (let i = 0; i < data.length; i += 4) colors.add((data[i] << 16) | (data[i + 1] << 8) | data[i + 2]);
    return colors.size;
  }, canvas);

// How many pixels of the scene are nearly of a colour.
export const pixelsOf = (page, color, tolerance) =>
  page.evaluate(([color, tolerance]) => {
    const source = document.querySelector("#scene canvas");
    const context = new OffscreenCanvas(source.width, source.height).getContext("2d");
    context.drawImage(source, 0, 0);
    const { data } = context.getImageData(0, 0, source.width, source.height);
    let count = 0;
    for (let i = 0; i < data.length; i += 4) if (color.every((value, k) => Math.abs(data[i + k] - value) < tolerance)) ++count;
    return count;
  }, [color, tolerance]);

// Clicks into the timeline.
export async function scrub(page, share) {
  const track = await page.locator("canvas.track").boundingBox();
  await page.mouse.click(track.x + track.width * share, track.y + 26);
  await page.waitForTimeout(200);
}

// What overlaps, sticks out or is cut off, in words.
const flawsOf = (page) =>
  page.evaluate(() => {
    const flaws = [];
    const visible = (element) => element.getClientRects().length > 0;
    const name = (element) => element.id || element.className || element.tagName;
    const overlap = (selectors) => {
      const elements = selectors.flatMap((selector) => [...document.querySelectorAll(selector)]).filter(visible);
      elements.forEach((a, i) =>
        elements.slice(i + 1).forEach((b) => {
          const [p, q] = [a.getBoundingClientRect(), b.getBoundingClientRect()];
          const wide = Math.min(p.right, q.right) - Math.max(p.left, q.left);
          const high = Math.min(p.bottom, q.bottom) - Math.max(p.top, q.top);
          if (wide > 1 && high > 1) flaws.push(`${name(a)} overlaps ${name(b)}`);
        }),
      );
    };
    overlap([".bar", "#run", "#compare", "#warnings", "#side", "#scene", "#plots", "#timeline"]);
    overlap([".scene-bar", ".stage", ".inset", ".legend-strip"]); // nothing covers what it magnifies
    overlap([".bar .title", ".bar .tools", ".bar .tabs"]);
    overlap([".transport", ".track-box"]);
    overlap([".plot"]);
    if (document.documentElement.scrollWidth > innerWidth) flaws.push("the page is wider than the screen");
    if (document.documentElement.scrollHeight > innerHeight) flaws.push("the page is higher than the screen");
    for (const element of document.querySelectorAll("body > *, .scene-bar > *, .stage, .inset, .legend-strip, .tools > *, .transport > *")) {
      if (!visible(element)) continue;
      const { left, right, top, bottom } = element.getBoundingClientRect();
      if (left < -1 || top < -1 || right > innerWidth + 1 || bottom > innerHeight + 1) flaws.push(`${name(element)} sticks out of the screen`);
    }
    for (const element of document.querySelectorAll("button, select, .settings")) {
      if (visible(element) && element.scrollWidth > element.clientWidth + 2) flaws.push(`the text of ${element.textContent.trim().slice(0, 30)} is cut off`);
    }
    return flaws;
  });

// A picture for people, and what a machine can see in it.
export async function picture(page, name) {
  await page.screenshot({ path: join(pictures, `${name}.png`) });
  assert.deepEqual(await flawsOf(page), [], `layout of ${name}`);
}
