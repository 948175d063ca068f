// Looks at results with the viewer in Chromium, as a user would: ./dev viewer-test
// Needs CAROM_PROGRAM; pictures go to CAROM_PICTURES. Arguments are parts of names of steps to do: node test/browser.mjs controls
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, readdirSync, rmSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { checkAddress, checkColors, checkFirstPlot, checkFollowing, checkMeasuring, checkParameters, checkPaths, checkSaving, checkSecret, checkShortcuts, checkViews, checkWords } from "./controls.mjs";
import { closePage, colorsIn, desktop, folder, laptop, launch, openPage, pendulum, phone, picture, pictures, pixelsOf, program, ready, root, run, runText, scrub, viewing, watchedPage, write } from "./support.mjs";

const time = (page) => page.locator("output.time").textContent();
const milliseconds = async (page) => parseFloat(await time(page));
const plots = (page) => page.locator(".plot").count();
async function search(page, text) {
  await page.locator('input[type="search"]').fill(text);
}
async function play(page, ms) {
  const drawn = () => page.evaluate(() => window.caromViewer.frames);
  const before = await drawn();
  await page.keyboard.press("Space");
  await page.waitForTimeout(ms);
  await page.keyboard.press("Space");
  return (await drawn()) - before;
}

async function checkTime(page) {
  assert.ok((await play(page, 1200)) > 5, "it plays");
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
}

async function checkPlots(page) {
  await page.getByRole("tab", { name: "Quantities" }).click();
  await page.keyboard.press("/");
  await page.keyboard.type("slider ax");
  await page.locator('[data-quantity="body:slider.ax"]').click();
  await ready(page);
  assert.equal(await plots(page), 3, "a plot was added");
  await search(page, "joint:pin");
  await page.locator('[data-x="joint:pin.ex"]').click();
  await page.locator('.leaf:has([data-quantity="joint:pin.ey"]) .axis').nth(1).click();
  await ready(page);
  assert.equal(await plots(page), 4, "a phase portrait was added");
  // The crank turns at 5000 rpm: 12 ms a turn, and the run has two.
  const portrait = page.locator(".plot").nth(3);
  await portrait.getByLabel("Curve or Poincaré map").selectOption("strobe");
  assert.equal(Number(await portrait.getByLabel("Period").inputValue()), 0.012, "the period of the drive is offered");
  await ready(page);
  assert.match(await portrait.textContent(), /3 points/);
  await portrait.getByLabel("Curve or Poincaré map").selectOption("section");
  await portrait.getByLabel("Quantity of the section").fill("body:slider.vx");
  await portrait.getByLabel("Quantity of the section").press("Enter");
  await ready(page);
  assert.match(await portrait.textContent(), /[1-4] points/, "the slider turns round once a turn");

  await page.locator('[data-spectrum="joint:pin.normal_force"]').click();
  await page.locator('[data-loop="joint:pin"]').click();
  await ready(page);
  assert.equal(await plots(page), 6, "a spectrum and a loop were added");
  assert.match(await page.locator(".plot").nth(4).textContent(), /Hann window, \d+ samples/);
  assert.match(await page.locator(".plot").nth(5).textContent(), /Hysteresis · joint:pin/);
}

async function checkPointer(page) {
  const stage = await page.locator(".stage").boundingBox();
  const tip = page.locator(".name-tip");
  await page.getByRole("tab", { name: "Events" }).click();
  const [x, y] = await page.evaluate(() => window.caromViewer.seen().pixelOfBody("rod"));
  await page.mouse.move(stage.x + x, stage.y + y);
  assert.equal(await tip.textContent(), "rod", "the pointer names bodies");
  const name = await tip.textContent();
  const amber = () => pixelsOf(page, [255, 176, 0], 60);
  const before = await amber();
  await page.mouse.down();
  await page.mouse.up();
  await page.waitForTimeout(200);
  assert.equal(await page.locator(".side-tabs .active").textContent(), "Quantities", "a click on a body lists what was recorded of it");
  assert.equal(await page.locator("details.group.chosen").getAttribute("data-group"), `body:${name}`, "the list shows it");
  assert.ok((await amber()) > before + 100, "the scene shows it");
  await page.locator(`[data-quantity="body:${name}.y"]`).click();
  await ready(page);
  assert.equal(await page.locator(".plot.chosen").count(), 1, "the plots show it");
  assert.match(await page.locator(".curve.chosen").textContent(), /y/);
  await page.locator(`[data-quantity="body:${name}.y"]`).click();
  await page.keyboard.press("Escape");
  assert.equal(await page.locator(".chosen").count(), 0, "Escape chooses nothing");
  await page.locator('[data-legend="body:rod"]').click();
  assert.equal(await page.locator("details.group.chosen").getAttribute("data-group"), "body:rod", "the legend chooses, too");
  await page.locator('[data-legend="body:rod"]').click();
}

async function checkLooseSliderCrank(browser, address) {
  const page = await openPage(browser, address);
  console.log(`  first picture after ${Math.round(await page.evaluate(() => window.caromViewer.firstPaint))} ms`);
  assert.ok((await colorsIn(page)) > 5, "the scene is drawn");
  await picture(page, "loose_slider_crank");
  await checkTime(page);
  await checkPlots(page);
  await checkPointer(page);
  await page.locator(".menu summary", { hasText: "Show" }).click();
  await page.getByLabel("Joint forces").check();
  await page.getByLabel("Friction cones").check();
  await page.keyboard.press("Escape");
  await picture(page, "loose_slider_crank_plots");
  const inset = () => page.locator(".inset .legend").textContent();
  const before = await inset();
  await scrub(page, 0.8);
  assert.notEqual(await inset(), before, "the magnified joint follows the clock");

  const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const light = await background();
  await page.locator("#theme").click();
  assert.notEqual(await background(), light, "the theme changes");
  await page.waitForTimeout(200);
  await picture(page, "loose_slider_crank_dark");
  await page.locator("#help").click();
  assert.ok(await page.locator("dialog").isVisible());
  await picture(page, "help");
  await closePage(page);
}

async function checkLaptop(browser, address, name) {
  for (const scheme of ["light", "dark"]) {
    const page = await openPage(browser, address, laptop, scheme);
    await scrub(page, 0.3);
    await ready(page);
    await picture(page, `${name}_laptop_${scheme}`);
    assert.ok(await page.locator(".plot").first().isVisible());
    assert.ok((await page.locator(".plot-list").evaluate((list) => list.scrollTop)) < 5, "the first plot is in view");
    await closePage(page);
  }
}

async function checkPhone(browser, address, name, scheme) {
  const page = await openPage(browser, address, phone, scheme);
  assert.ok((await colorsIn(page)) > 5, "the scene is drawn on a small screen");
  await picture(page, `${name}_scene`);
  for (const tab of ["plots", "side"]) {
    await page.locator(`.tabs [data-tab="${tab}"]`).click();
    await ready(page);
    assert.ok(await page.locator(`#${tab}`).isVisible());
    await picture(page, `${name}_${tab}`);
  }
  await closePage(page);
}

async function checkLook(browser, address, name, scheme = "light") {
  const page = await openPage(browser, address, desktop, scheme);
  assert.ok((await play(page, 400)) > 0, `${name} plays`);
  await scrub(page, 0.4);
  await ready(page);
  assert.ok((await colorsIn(page)) > 5, `${name} is drawn`);
  await picture(page, name);
  await closePage(page);
}

async function checkComparison(browser, address) {
  const page = await openPage(browser, address);
  const words = await page.locator("#compare").textContent();
  assert.match(words, /A.*compliant, complete: in colours.*B.*nonsmooth, complete: ghost, dashed/, "it says which is which");
  assert.match(words, /B lacks quantities of joint:pin \(/, "it says what B lacks");
  await scrub(page, 0.7);
  await search(page, "slider vx");
  await page.locator('[data-quantity="body:slider.vx"]').click();
  await ready(page);
  const legend = await page.locator(".plot").last().locator(".curve").allTextContents();
  assert.equal(legend.length, 2);
  assert.match(legend[0], /\(A\)/);
  assert.match(legend[1], /\(B\)/);
  await picture(page, "comparison");
  await page.getByRole("tab", { name: "Events" }).click();
  await page.locator(".event").first().waitFor();
  const letters = new Set(await page.locator(".event .letter").allTextContents());
  assert.deepEqual([...letters].sort(), ["A", "B"], "events of both are listed");
  const times = (await page.locator(".event .when").allTextContents()).map(parseFloat);
  assert.deepEqual(times, [...times].sort((a, b) => a - b), "in the order of time");
  await picture(page, "comparison_events");
  await closePage(page);
  const small = await openPage(browser, address, phone, "dark");
  await picture(small, "comparison_phone");
  await closePage(small);
}

// Where both are the same, A looks as it does alone; where they differ, there is a ghost.
async function checkGhost(browser, address, differ) {
  const page = await openPage(browser, address);
  await scrub(page, 0.7);
  await page.waitForTimeout(500);
  // Keeps the picture, or counts the pixels that differ from the one kept.
  const compare = () =>
    page.evaluate(() => {
      const source = document.querySelector("#scene canvas");
      const context = new OffscreenCanvas(source.width, source.height).getContext("2d");
      context.drawImage(source, 0, 0);
      const { data } = context.getImageData(0, 0, source.width, source.height);
      const before = (window.pictureKept ??= data);
      return data.length === before.length ? data.reduce((sum, value, k) => sum + (value !== before[k] ? 1 : 0), 0) : -1;
    });
  await compare();
  await page.locator(".menu summary", { hasText: "Show" }).click();
  await page.getByLabel("Ghost of B").uncheck();
  await page.waitForTimeout(1200);
  const changed = await compare();
  if (differ) assert.ok(changed > 1000, "a ghost that is elsewhere is seen");
  else assert.equal(changed, 0, "A keeps its colours");
  await closePage(page);
}

async function checkModelBeforeItsRun(browser, address) {
  const page = await openPage(browser, address);
  assert.match(await page.locator("#side .text").first().textContent(), /degrees of freedom/);
  await picture(page, "model");
  await page.getByRole("button", { name: "Run" }).click();
  await page.waitForFunction(() => /done in/.test(document.querySelector("#run").textContent), null, { timeout: 60000 });
  await page.waitForFunction(() => window.caromViewer?.ready && document.querySelector("#status").textContent === "complete");
  await ready(page);
  assert.equal(await plots(page), 2, "the finished result is shown");
  await picture(page, "model_after_its_run");
  await closePage(page);
}

async function checkLiveRun(browser, address, model) {
  const page = await openPage(browser, address, desktop, "dark");
  await page.getByRole("button", { name: "Run" }).click();
  await page.waitForFunction(() => window.caromViewer?.ready && window.caromViewer.refreshes >= 2, null, { timeout: 60000 });
  assert.match(await page.locator("#run").textContent(), /t = .* of .* s\/s · .* left/);
  await page.keyboard.press("End");
  const then = await milliseconds(page);
  await page.waitForFunction((before) => parseFloat(document.querySelector("output.time").textContent) > before, then, { timeout: 20000 });
  await picture(page, "live_run");
  await page.getByRole("button", { name: "Stop" }).click();
  await page.waitForFunction(() => /stopped at/.test(document.querySelector("#run").textContent));
  await page.waitForFunction(() => document.querySelector("#status").textContent === "interrupted");
  assert.ok((await milliseconds(page)) > then, "what was computed is there");
  write(model, pendulum(1, 0.01).replace("revolute", "revolut"));
  await page.getByRole("button", { name: "Run again" }).click();
  await page.waitForFunction(() => /The run failed/.test(document.querySelector("#run").textContent));
  assert.match(await page.locator("#run").textContent(), /did you mean `revolute`/);
  await picture(page, "failed_run");
  await closePage(page);
}

// A run in another window, which the page only watches; then the file is spoilt.
async function checkForeignRun(browser) {
  const result = join(folder, "watched.h5");
  copyFileSync(runText("watched_first", pendulum(1, 0.01)), result);
  await viewing(result, async (address) => {
    const page = await openPage(browser, address);
    assert.match(await page.locator("#status").textContent(), /complete/);
    const running = spawn(program, ["run", write("watched.toml", pendulum(1e7, 0.1)), "-o", result, "--quiet"], { stdio: "ignore" });
    await page.waitForFunction(() => /running/.test(document.querySelector("#status").textContent) && window.caromViewer.refreshes >= 1, null, { timeout: 30000 });
    running.kill("SIGINT");
    await once(running, "exit");
    await page.waitForFunction(() => document.querySelector("#status").textContent === "interrupted", null, { timeout: 30000 });
    assert.deepEqual(page.complaints, []);
    truncateSync(result, 3000);
    await page.waitForFunction(() => /truncated or damaged/.test(document.querySelector("#warnings").textContent), null, { timeout: 30000 });
    await picture(page, "spoilt_file");
    await page.context().close(); // its requests fail now, and the browser says so
  });
}

// The page of `carom report`, from the disk: it moves, fits a phone, and becomes a strip of positions in print.
async function checkReport(browser, result, name) {
  const file = join(folder, `${name}.html`);
  execFileSync(program, ["report", result, "-o", file], { stdio: "ignore" });
  const address = pathToFileURL(file).href;
  for (const [size, scheme] of [[desktop, "light"], [phone, "dark"]]) {
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
    if (size === desktop) await page.pdf({ path: join(pictures, `report_${name}.pdf`), format: "A4" });
    await closePage(page);
  }
}

const browser = await launch();
const wanted = process.argv.slice(2); // parts of names of steps; none: all
const step = async (name, what) => {
  if (wanted.length > 0 && !wanted.some((part) => name.includes(part))) return;
  const begin = Date.now();
  await what();
  console.log(`${name}: ${((Date.now() - begin) / 1000).toFixed(1)} s`);
};
try {
  const loose = run("examples/loose_slider_crank.toml");
  await step("loose slider-crank", () =>
    viewing(loose, async (address) => {
      await checkLooseSliderCrank(browser, address);
      await checkLaptop(browser, address, "loose");
      await checkPhone(browser, address, "phone", "light");
      await checkPhone(browser, address, "phone_dark", "dark");
    }),
  );
  await step("secret", () => viewing(loose, (address) => checkSecret(browser, address)));
  await step("controls", () =>
    viewing(loose, async (address) => {
      for (const check of [checkShortcuts, checkWords, checkPaths, checkColors, checkMeasuring, checkFollowing, checkAddress]) await check(browser, address);
    }),
  );
  await step("saving", () => viewing(loose, (address) => checkSaving(browser, address)));
  await step("views", () => viewing(run("examples/spatial_gyroscope.toml"), (address) => checkViews(browser, address)));
  await step("first plot", () => checkFirstPlot(browser));
  await step("parameters", () => viewing(join(root, "examples/loose_slider_crank.toml"), (address) => checkParameters(browser, address)));
  const others = readdirSync(join(root, "examples")).filter((name) => name.endsWith(".toml") && !name.endsWith("_study.toml") && name !== "loose_slider_crank.toml").map((name) => `examples/${name}`);
  for (const [k, model] of [...others, "cases/poured_spheres/model.toml", "cases/knee_profiles/model.toml"].entries()) {
    await step(model, () => viewing(run(model), (address) => checkLook(browser, address, model.replace(/^[a-z]+\//, "").replace(/[/.].*/, ""), k % 2 ? "dark" : "light")));
  }
  await step("reports", async () => {
    await checkReport(browser, loose, "loose_slider_crank");
    await checkReport(browser, run("examples/spatial_gyroscope.toml"), "spatial_gyroscope");
  });
  await step("two results", () => viewing([loose, run("examples/loose_slider_crank.toml", "--method", "nonsmooth")], (address) => checkComparison(browser, address)));
  await step("two equal results", async () => {
    const copy = join(folder, "copy.h5");
    copyFileSync(loose, copy);
    await viewing([loose, copy], (address) => checkGhost(browser, address, false));
    await viewing([loose, run("examples/loose_slider_crank.toml", "--set", "speed=3000rpm")], (address) => checkGhost(browser, address, true));
  });
  await step("a million samples", () => viewing(runText("long_pendulum", pendulum(1000, 0.001)), (address) => checkLook(browser, address, "long_pendulum")));
  await step("a model and its run", () => viewing(join(root, "examples/loose_slider_crank.toml"), (address) => checkModelBeforeItsRun(browser, address)));
  await step("a run as it goes", () => viewing(write("live.toml", pendulum(1e7, 0.1)), (address) => checkLiveRun(browser, address, "live.toml")));
  await step("a run in another window", () => checkForeignRun(browser));
  console.log(`all well; pictures in ${pictures}`);
} finally {
  await browser.close();
  rmSync(folder, { recursive: true, force: true });
}
