// Looks at results with the viewer in Chromium, as a user would: ./dev viewer-test
// Needs CAROM_PROGRAM; pictures go to CAROM_PICTURES.
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "../../..");
const program = process.env.CAROM_PROGRAM;
const pictures = process.env.CAROM_PICTURES ?? join(tmpdir(), "carom-viewer");
const browserPath = process.env.CAROM_CHROMIUM ?? "/usr/bin/chromium";
if (!program) throw new Error("set CAROM_PROGRAM to the program to test");
if (!existsSync(browserPath)) throw new Error(`no ${browserPath}; install the Debian package chromium`);
mkdirSync(pictures, { recursive: true });
const folder = mkdtempSync(join(tmpdir(), "carom-viewer-"));

const flags = [
  "--no-sandbox", "--disable-gpu", "--enable-unsafe-swiftshader", "--disable-background-networking",
  "--disable-component-update", "--disable-sync", "--no-first-run",
];

function run(model, ...words) {
  const result = join(folder, `${model.replaceAll("/", "_")}.h5`);
  execFileSync(program, ["run", resolve(root, model), "-o", result, "--quiet", ...words], { stdio: "ignore" });
  return result;
}

const longPendulum = `
[model]
name = "A million samples of a pendulum"
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
end = 1000
[output]
every = 0.001
`;
function runText(name, text) {
  const model = join(folder, `${name}.toml`);
  writeFileSync(model, text);
  return run(model);
}

// Starts `carom view`, waits for its address, hands it to `use`, and stops it as Ctrl-C does.
async function viewing(file, use) {
  const viewer = spawn(program, ["view", file, "--no-open"], { stdio: ["ignore", "pipe", "inherit"] });
  try {
    const address = await new Promise((found, fail) => {
      let text = "";
      viewer.stdout.on("data", (data) => {
        text += data;
        const match = text.match(/http:\/\/127\.0\.0\.1:\d+\//);
        if (match) found(match[0]);
      });
      viewer.on("exit", () => fail(new Error(`carom view ${file} ended`)));
    });
    await use(address);
  } finally {
    const ended = new Promise((done) => viewer.on("exit", (code) => done(code)));
    viewer.kill("SIGINT");
    assert.equal(await ended, 0, "Ctrl-C ends the viewer cleanly");
  }
}

// A page that must neither complain nor ask anybody else.
// A page whose complaints, and requests to elsewhere, are kept.
async function watchedPage(browser, address, size, colorScheme) {
  const context = await browser.newContext({ viewport: size, colorScheme });
  const page = await context.newPage();
  page.complaints = [];
  page.on("console", (message) => {
    if (message.type() === "error") page.complaints.push(message.text());
  });
  page.on("pageerror", (error) => page.complaints.push(String(error)));
  page.on("request", (request) => {
    if (!request.url().startsWith(address) && !/^(data|blob):/.test(request.url())) page.complaints.push(`asked ${request.url()}`);
  });
  await page.goto(address);
  return page;
}

async function openPage(browser, address, size = { width: 1440, height: 900 }, colorScheme = "light") {
  const page = await watchedPage(browser, address, size, colorScheme);
  await page.waitForFunction(() => window.caromViewer?.ready);
  await page.waitForTimeout(600);
  return page;
}

const picture = (page, name) => page.screenshot({ path: join(pictures, `${name}.png`) });
const time = (page) => page.locator("output.time").textContent();

// How many colours the picture of the scene has; an empty one has one.
const colorsIn = (page, canvas = "#scene canvas") =>
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

async function checkLooseSliderCrank(browser, address) {
  const page = await openPage(browser, address);
  console.log(`  first picture after ${Math.round(await page.evaluate(() => window.caromViewer.firstPaint))} ms`);
  assert.ok((await colorsIn(page)) > 5, "the scene is drawn");
  await picture(page, "loose_slider_crank");

  const before = await page.evaluate(() => window.caromViewer.frames);
  await page.keyboard.press("Space");
  await page.waitForTimeout(2000);
  const drawn = (await page.evaluate(() => window.caromViewer.frames)) - before;
  console.log(`  ${Math.round(drawn / 2)} frames a second while playing`);
  await page.keyboard.press("Space");
  assert.ok(drawn > 5, "it plays");
  assert.notEqual(await time(page), "0.000 ms");

  await page.keyboard.press("Home");
  assert.match(await time(page), /^0\.000/);
  await page.keyboard.press("n");
  const event = await time(page);
  assert.doesNotMatch(event, /^0\.000/, "n goes to the first event");
  await page.getByRole("tab", { name: "Events" }).click();
  await page.locator(".event").nth(3).click();
  assert.notEqual(await time(page), event, "a click in the log goes there");

  const track = await page.locator("canvas.track").boundingBox();
  await page.mouse.move(track.x + track.width * 0.2, track.y + 26);
  await page.mouse.down();
  await page.mouse.move(track.x + track.width * 0.6, track.y + 26, { steps: 5 });
  await page.mouse.up();
  assert.match(await time(page), /^14\.[0-9]+ ms/, "the bar can be dragged");

  await page.getByRole("tab", { name: "Quantities" }).click();
  await page.keyboard.press("/");
  await page.keyboard.type("slider ax");
  await page.locator('[data-quantity="body:slider.ax"]').click();
  await page.waitForTimeout(400);
  assert.equal(await page.locator(".plot").count(), 3, "a plot was added");
  await page.locator('input[type="search"]').fill("joint:pin");
  await page.locator('[data-x="joint:pin.ex"]').click();
  await page.locator('.leaf:has([data-quantity="joint:pin.ey"]) .axis').nth(1).click();
  await page.waitForTimeout(400);
  assert.equal(await page.locator(".plot").count(), 4, "a phase portrait was added");
  const scene = await page.locator("#scene").boundingBox();
  const named = async () => {
    for (let x = 0.1; x < 0.9; x += 0.02) {
      await page.mouse.move(scene.x + scene.width * x, scene.y + scene.height * 0.5);
      if (await page.locator(".name-tip").isVisible()) return page.locator(".name-tip").textContent();
    }
  };
  assert.match(await named(), /crank|rod|slider/, "the pointer names bodies");
  await page.getByLabel("Paths").check();
  await page.getByLabel("Joint forces").check();
  await picture(page, "loose_slider_crank_plots");

  const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const light = await background();
  await page.locator("#theme").click();
  assert.notEqual(await background(), light, "the theme changes");
  await page.waitForTimeout(200);
  await picture(page, "loose_slider_crank_dark");
  await page.locator("#help").click();
  assert.ok(await page.locator("dialog").isVisible());
  await picture(page, "help");
  assert.deepEqual(page.complaints, []);
  await page.context().close();
}

async function checkPhone(browser, address) {
  const page = await openPage(browser, address, { width: 390, height: 844 });
  assert.ok((await colorsIn(page)) > 5, "the scene is drawn on a small screen");
  await picture(page, "phone_scene");
  await page.locator('.tabs [data-tab="plots"]').click();
  await page.waitForTimeout(400);
  assert.ok(await page.locator(".plot").first().isVisible());
  await picture(page, "phone_plots");
  const wide = await page.evaluate(() => document.documentElement.scrollWidth);
  assert.ok(wide <= 390, "nothing sticks out");
  assert.deepEqual(page.complaints, []);
  await page.context().close();
}

async function checkLook(browser, address, name, share = 0.4) {
  const page = await openPage(browser, address);
  const track = await page.locator("canvas.track").boundingBox();
  await page.mouse.click(track.x + track.width * share, track.y + 26);
  await page.waitForTimeout(300);
  assert.ok((await colorsIn(page)) > 5, `${name} is drawn`);
  await picture(page, name);
  assert.deepEqual(page.complaints, []);
  await page.context().close();
}

// The page of `carom report`, from the disk: it moves, fits a phone, and becomes a strip of positions in print.
async function checkReport(browser, result, name) {
  const file = join(folder, `${name}.html`);
  execFileSync(program, ["report", result, "-o", file], { stdio: "ignore" });
  const address = pathToFileURL(file).href;
  for (const [size, scheme] of [[{ width: 1100, height: 900 }, "light"], [{ width: 390, height: 844 }, "dark"]]) {
    const page = await watchedPage(browser, address, size, scheme);
    assert.ok((await colorsIn(page, "#stage")) > 5, `${name} is drawn`);
    await page.locator("#play").click();
    await page.waitForTimeout(500);
    await page.locator("#play").click();
    assert.ok(Number(await page.locator("#slider").inputValue()) > 0, "it moves");
    const wide = await page.evaluate(() => document.documentElement.scrollWidth);
    assert.ok(wide <= size.width, `nothing sticks out, ${wide} of ${size.width}`);
    assert.equal(await page.locator(".strip").isVisible(), false);
    await page.screenshot({ path: join(pictures, `report_${name}_${scheme}.png`), fullPage: true });
    await page.emulateMedia({ media: "print" });
    assert.ok(await page.locator(".strip").isVisible());
    assert.equal(await page.locator("#stage").isVisible(), false);
    assert.deepEqual(page.complaints, []);
    await page.context().close();
  }
}

const browser = await chromium.launch({ executablePath: browserPath, headless: true, args: flags });
try {
  console.log("loose slider-crank");
  await viewing(run("examples/loose_slider_crank.toml"), async (address) => {
    await checkLooseSliderCrank(browser, address);
    await checkPhone(browser, address);
  });
  for (const model of ["examples/flexible_slider_crank.toml", "examples/spatial_gyroscope.toml", "examples/four_bar_spring.toml", "cases/poured_spheres/model.toml", "cases/knee_profiles/model.toml"]) {
    console.log(model);
    await viewing(run(model), (address) => checkLook(browser, address, model.replace(/^[a-z]+\//, "").replace(/[/.].*/, "")));
  }
  console.log("a million samples");
  await viewing(runText("long_pendulum", longPendulum), async (address) => {
    await checkLook(browser, address, "long_pendulum");
  });
  console.log("reports");
  await checkReport(browser, run("examples/loose_slider_crank.toml"), "loose_slider_crank");
  await checkReport(browser, run("examples/spatial_gyroscope.toml"), "spatial_gyroscope");
  console.log("a model before its run");
  await viewing(join(root, "examples/loose_slider_crank.toml"), async (address) => {
    const page = await openPage(browser, address);
    assert.match(await page.locator(".text").first().textContent(), /degrees of freedom/);
    await picture(page, "model");
    assert.deepEqual(page.complaints, []);
  });
  console.log(`all well; pictures in ${pictures}`);
} finally {
  await browser.close();
  rmSync(folder, { recursive: true, force: true });
}
