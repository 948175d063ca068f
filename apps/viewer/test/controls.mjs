// What the controls of the page do, each as a user would find out; see browser.mjs.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { closePage, colorsIn, desktop, folder, openPage, pendulum, phone, picture, ready, runText, scrub, viewing, watchedPage } from "./support.mjs";

const time = (page) => page.locator("output.time").textContent();
const menu = (page, name) => page.locator(".menu summary", { hasText: name }).click();
const isPlaying = async (page) => (await page.locator(".play").getAttribute("aria-label")) === "Pause";
const seen = (page, name, ...values) => page.evaluate(([name, values]) => window.caromViewer.seen()[name](...values), [name, values]);
const trails = (page) => page.evaluate(() => window.caromViewer.seen().trails);
const overlay = (page) => page.locator("canvas.overlay").getAttribute("aria-label");
async function clickAt(page, [x, y]) {
  const box = await page.locator(".stage").boundingBox();
  await page.mouse.click(box.x + x, box.y + y);
  await page.waitForTimeout(250);
}

// Whoever does not know the address gets a sentence, and the page tells nobody where it is.
export async function checkSecret(browser, address) {
  const { origin } = new URL(address);
  const wrong = address.replace(/[0-9a-f]\/$/, (end) => (end === "0/" ? "1/" : "0/"));
  const page = await watchedPage(browser, origin + "/", desktop, "light");
  for (const place of [origin + "/", wrong, wrong + "api/scene"]) {
    const answer = await page.goto(place);
    assert.equal(answer.status(), 403, place);
    assert.match(await page.locator("body").textContent(), /Copy the whole address that carom view printed/);
  }
  const start = await fetch(`${wrong}api/run`, { method: "POST", headers: { Origin: origin } });
  assert.equal(start.status, 403);
  await page.context().close();
  const own = await openPage(browser, address);
  const sent = await own.evaluate(async () => {
    await fetch("api/state");
    return document.cookie + [...performance.getEntriesByType("resource")].map(({ name }) => name).join(" ");
  });
  assert.ok(sent.split(" ").every((name) => name.startsWith(address)), "every request is below the secret");
  const [answer] = await Promise.all([own.waitForResponse(/api\/state/), own.evaluate(() => fetch("api/state"))]);
  assert.equal(answer.request().headers().referer ?? "", "", "the address is told to nobody");
  await own.reload();
  await ready(own);
  await closePage(own);
}

// Keys work after a click on anything, except where one types.
export async function checkShortcuts(browser, address) {
  const page = await openPage(browser, address);
  const toggles = async (what) => {
    const before = await isPlaying(page);
    await page.keyboard.press("Space");
    assert.notEqual(await isPlaying(page), before, `space plays or pauses after ${what}`);
    await page.keyboard.press("Space");
  };
  for (const what of ["#theme", ".scene-bar button >> nth=0", ".side-tabs button >> nth=2", ".side-tabs button >> nth=0", "details.group summary >> nth=0", ".panel-head button >> nth=-1", "#timeline input[type=checkbox]"]) {
    await page.locator(what).click();
    await toggles(what);
  }
  await page.keyboard.press("Escape");
  await menu(page, "Show");
  const box = page.getByLabel("Joint forces");
  await box.click();
  await toggles("a checkbox");
  assert.equal(await box.isChecked(), true, "and the checkbox stays as it was clicked");
  const slider = await page.getByLabel("Length of arrows").boundingBox();
  await page.mouse.click(slider.x + slider.width * 0.7, slider.y + slider.height / 2);
  const length = await page.getByLabel("Length of arrows").inputValue();
  await page.keyboard.press("Home");
  assert.match(await time(page), /^0\.000/);
  await page.keyboard.press("ArrowRight");
  assert.doesNotMatch(await time(page), /^0\.000/, "arrows step after a click on a slider");
  assert.equal(await page.getByLabel("Length of arrows").inputValue(), length);
  await page.keyboard.press("Escape");
  const speed = page.getByLabel("Speed");
  await speed.click();
  await page.keyboard.press("Escape");
  await toggles("a list");
  await scrub(page, 0.5);
  await toggles("the timeline");

  const search = page.getByLabel("Search quantities");
  await search.click();
  const before = await time(page);
  await page.keyboard.type("n l 1+");
  assert.equal(await search.inputValue(), "n l 1+", "a field takes its letters");
  assert.equal(await time(page), before);
  assert.equal(await isPlaying(page), false);
  // By the keyboard, a button is still pressed with the space bar.
  await page.locator("#help").focus();
  await page.keyboard.press("Space");
  assert.ok(await page.locator("dialog").isVisible());
  await closePage(page);
}

// Values of sliders in words, with their units.
export async function checkWords(browser, address) {
  const page = await openPage(browser, address);
  await scrub(page, 0.5);
  const track = page.getByRole("slider", { name: "Time" });
  assert.match(await track.getAttribute("aria-valuetext"), /^1[12]\.\d+ ms of 24\.000 ms$/);
  const [low, now, high] = await Promise.all(["min", "now", "max"].map((name) => track.getAttribute(`aria-value${name}`)));
  assert.ok(Number(low) === 0 && Math.abs(Number(high) - 0.024) < 1e-9 && Math.abs(Number(now) - 0.012) < 1e-3);
  await menu(page, "Show");
  assert.match(await page.getByLabel("Length of arrows").getAttribute("aria-valuetext"), /^[\d.]+ k?N is [\d.]+ mm long$/);
  await menu(page, "Paths");
  const length = page.getByLabel("Length", { exact: true });
  assert.equal(await length.getAttribute("aria-valuetext"), "from the beginning");
  await length.fill("-1");
  assert.match(await length.getAttribute("aria-valuetext"), /^last 2\.400 ms$/);
  assert.match(await overlay(page), /Scale bar: (20|50) mm\. Arrow of \d+ k?N/);
  await closePage(page);
}

export async function checkPaths(browser, address) {
  const page = await openPage(browser, address);
  assert.equal(await trails(page), 0);
  await menu(page, "Paths");
  await page.getByLabel("rod", { exact: true }).check();
  assert.equal(await trails(page), 1);
  await scrub(page, 0.7);
  await menu(page, "Paths");
  const whole = await colorsIn(page);
  await page.getByLabel("Length", { exact: true }).fill("-1");
  await page.waitForTimeout(300);
  assert.notEqual(await colorsIn(page), whole, "a path of the last moments is another one");
  await page.getByLabel("Paths of all").check();
  assert.equal(await trails(page), 3);
  await picture(page, "paths");
  await closePage(page);
}

export async function checkColors(browser, address) {
  const page = await openPage(browser, address);
  await scrub(page, 0.4);
  const strip = page.locator(".legend-strip");
  assert.match(await strip.textContent(), /crank.*rod.*slider.*contact force/, "the legend says what colours mean");
  await menu(page, "Show");
  const choice = page.getByLabel("Colour by");
  assert.deepEqual(await choice.locator("option").allTextContents(), ["body", "speed", "force"], "what this model has");
  await choice.selectOption("speed");
  // The crank turns at 5000 rpm about its end: the slider, the fastest, at 25 mm × 2 × 523.6 1/s = 26 m/s and somewhat more.
  const [, fastest] = (await strip.textContent()).match(/Speed of the mass centre0≥ ([\d.]+) m\/s/);
  assert.ok(Number(fastest) > 24 && Number(fastest) < 30, `${fastest} m/s`);
  await picture(page, "colored_by_speed");
  await choice.selectOption("force");
  assert.match(await strip.textContent(), /Largest force on the body0≥ [\d.]+ kN/);
  await page.keyboard.press("Escape");
  await page.waitForTimeout(300);
  await picture(page, "colored_by_force");
  await closePage(page);
}

// The crank is 50 mm long, and so it stays.
export async function checkMeasuring(browser, address) {
  const page = await openPage(browser, address);
  await page.keyboard.press("m");
  assert.equal(await page.getByRole("button", { name: "Measure" }).getAttribute("aria-pressed"), "true");
  await clickAt(page, await seen(page, "pixelOf", 0, 0, 0));
  await clickAt(page, await seen(page, "pixelOf", 0.05, 0, 0));
  assert.match(await overlay(page), /Measured: 50\.000 mm \(Δx 50\.000 mm, Δy [−-]?0\.000 mm\)/);
  await scrub(page, 0.3);
  await page.waitForTimeout(300);
  assert.match(await overlay(page), /Measured: (50\.000|49\.99\d|50\.00\d) mm/, "the points stay with their bodies");
  assert.doesNotMatch(await overlay(page), /Δx 50\.000/);
  await picture(page, "measured");
  await page.keyboard.press("Escape");
  await page.waitForTimeout(200);
  assert.doesNotMatch(await overlay(page), /Measured/);
  await closePage(page);
}

// The body that is followed stays where it is on the screen, and what is under the pointer stays there when one zooms.
export async function checkFollowing(browser, address) {
  const page = await openPage(browser, address);
  await menu(page, "View");
  await page.getByLabel("Body to follow").selectOption("slider");
  await page.keyboard.press("Escape");
  await page.waitForTimeout(200);
  const before = await seen(page, "pixelOfBody", "slider");
  await scrub(page, 0.25);
  const after = await seen(page, "pixelOfBody", "slider");
  assert.ok(Math.hypot(before[0] - after[0], before[1] - after[1]) < 1, `the slider stays, ${before} and ${after}`);
  await menu(page, "View");
  await page.getByLabel("Body to follow").selectOption("");
  await page.keyboard.press("Escape");
  await page.keyboard.press("f");
  await page.waitForTimeout(200);
  const box = await page.locator(".stage").boundingBox();
  const at = await seen(page, "pixelOf", 0.05, 0.02, 0);
  const away = await seen(page, "pixelOf", -0.05, 0.02, 0);
  await page.mouse.move(box.x + at[0], box.y + at[1]);
  await page.mouse.wheel(0, -600);
  await page.waitForTimeout(400);
  const [then, there] = [await seen(page, "pixelOf", 0.05, 0.02, 0), await seen(page, "pixelOf", -0.05, 0.02, 0)];
  assert.ok(Math.hypot(then[0] - at[0], then[1] - at[1]) < 2, `the place under the pointer stays, ${at} and ${then}`);
  assert.ok(at[0] - there[0] > 1.2 * (at[0] - away[0]), "and all else goes outwards");
  await closePage(page);
}

// Where one looks from, in space.
export async function checkViews(browser, address) {
  const page = await openPage(browser, address);
  // On the screen along x: the axis itself from the front, y from the side, x from above.
  const length = async (x, y, z) => {
    const [a, b] = [await seen(page, "pixelOf", 0, 0, 0), await seen(page, "pixelOf", x, y, z)];
    return [b[0] - a[0], a[1] - b[1]].map((value) => Math.round(value));
  };
  const views = { 1: [[1, 0], [0, 0], [0, 1]], 2: [[0, 0], [1, 0], [0, 1]], 3: [[1, 0], [0, 1], [0, 0]] };
  for (const [key, [x, y, z]] of Object.entries(views)) {
    await page.keyboard.press(key);
    await page.waitForTimeout(200);
    const ways = [await length(0.02, 0, 0), await length(0, 0.02, 0), await length(0, 0, 0.02)].map(([right, up]) => [Math.sign(Math.trunc(right / 6)), Math.sign(Math.trunc(up / 6))]);
    assert.deepEqual(ways, [x, y, z], `view ${key}`);
    await picture(page, `view_${key}`);
  }
  await menu(page, "View");
  await page.locator('[data-preset="iso"]').click();
  await page.waitForTimeout(400);
  assert.doesNotMatch(page.url(), /camera/);
  await page.keyboard.press("3");
  await page.waitForTimeout(400);
  assert.match(page.url(), /camera=top/);
  const small = await openPage(browser, page.url(), phone, "dark");
  await menu(small, "View");
  await picture(small, "views_phone");
  await closePage(small);
  await closePage(page);
}

// A picture and films, looked into.
export async function checkSaving(browser, address) {
  const page = await openPage(browser, address);
  await scrub(page, 0.4);
  const saved = async (kind) => {
    await menu(page, "Save");
    const [download] = await Promise.all([page.waitForEvent("download"), page.locator(`[data-save="${kind}"]`).click()]);
    assert.match(download.suggestedFilename(), new RegExp(`^\\w.*\\.${kind}$`));
    const file = join(folder, `saved.${kind}`);
    await download.saveAs(file);
    return readFileSync(file);
  };
  const before = await time(page);
  const picture = await saved("png");
  assert.equal(picture.toString("latin1", 1, 4), "PNG");
  const stage = await page.locator(".stage").boundingBox();
  assert.ok(picture.readUInt32BE(16) >= 2 * stage.width && picture.readUInt32BE(20) > 2 * stage.height, "twice as sharp as the screen, with legend and time");

  // The whole run in about half a second of film.
  await page.getByLabel("Speed").selectOption({ index: 7 });
  const gif = await saved("gif");
  const frames = await page.evaluate(async (bytes) => {
    const decoder = new ImageDecoder({ data: new Uint8Array(bytes), type: "image/gif" });
    await decoder.tracks.ready;
    const sums = [];
    for (const frameIndex of [0, decoder.tracks.selectedTrack.frameCount - 1, Math.floor(decoder.tracks.selectedTrack.frameCount / 3)]) {
      const { image } = await decoder.decode({ frameIndex });
      const context = new OffscreenCanvas(image.displayWidth, image.displayHeight).getContext("2d");
      context.drawImage(image, 0, 0);
      const { displayWidth: width, displayHeight: height } = image;
      image.close();
      sums.push(context.getImageData(0, 0, width, height).data.reduce((sum, value, k) => (sum * 31 + value * (k % 251)) % 1e9, 0));
    }
    return { count: decoder.tracks.selectedTrack.frameCount, sums };
  }, [...gif]);
  assert.ok(frames.count > 5, `${frames.count} pictures`);
  assert.equal(new Set(frames.sums).size, 3, "they differ");

  const kinds = await page.locator("[data-save]").evaluateAll((buttons) => buttons.map((button) => button.dataset.save));
  assert.ok(kinds.includes("webm"));
  for (const kind of kinds.filter((each) => each === "webm" || each === "mp4")) {
    const film = await saved(kind);
    const cinema = await browser.newPage();
    const size = await cinema.evaluate(async ([bytes, kind]) => {
      const video = document.createElement("video");
      video.src = URL.createObjectURL(new Blob([new Uint8Array(bytes)], { type: `video/${kind}` }));
      await new Promise((done, fail) => (video.addEventListener("loadeddata", done), video.addEventListener("error", () => fail(new Error(video.error.message)))));
      return [video.videoWidth, video.videoHeight];
    }, [[...film], kind]);
    assert.ok(size[0] >= stage.width - 2 && size[1] >= stage.height - 2, `${kind} is as large as the scene, ${size}`);
    await cinema.close();
  }
  assert.equal(await time(page), before, "the clock stands where it stood");
  await closePage(page);
}

// A reload and a link bring back what was shown.
export async function checkAddress(browser, address) {
  const page = await openPage(browser, address);
  assert.equal(page.url(), address, "nothing to keep yet");
  await scrub(page, 0.6);
  await page.getByLabel("Search quantities").fill("slider");
  await page.locator('[data-quantity="body:slider.vx"]').click();
  await page.locator('[data-spectrum="body:slider.ax"]').click();
  await page.locator(".plot").first().getByTitle("Close this plot").click();
  await page.getByLabel("Search quantities").fill("");
  await menu(page, "Show");
  await page.getByLabel("Joint forces").check();
  await page.getByLabel("Colour by").selectOption("speed");
  await page.keyboard.press("Escape");
  await page.locator("details.group[data-group='body:rod'] summary").click();
  const box = await page.locator(".stage").boundingBox();
  await page.mouse.move(box.x + 100, box.y + 100);
  await page.mouse.wheel(0, -400);
  await page.waitForTimeout(700);
  const shown = async (page) => ({
    time: await time(page),
    plots: await page.locator(".plot h3").allTextContents(),
    curves: await page.locator(".curve b").allTextContents(),
    legend: await page.locator(".legend-strip").textContent(),
    chosen: await page.locator("details.group.chosen").getAttribute("data-group"),
    place: (await seen(page, "pixelOf", 0.1, 0.03, 0)).map(Math.round),
  });
  const before = await shown(page);
  assert.equal(before.plots.length, 3);
  assert.equal(before.chosen, "body:rod");
  await page.reload();
  await ready(page);
  await page.waitForTimeout(400);
  assert.deepEqual(await shown(page), before, "a reload keeps it");
  const other = await openPage(browser, page.url());
  await other.waitForTimeout(400);
  assert.deepEqual(await shown(other), before, "a link has it");
  await picture(other, "from_a_link");
  await closePage(other);
  await page.keyboard.press("Home");
  await closePage(page);
}

// A contact that never closes is the first quantity that could be plotted, and would be a line at zero.
export async function checkFirstPlot(browser) {
  const never = `
[[ground.geometry]]
name = "floor"
shape = "plane"
position = [0, -5]
[[body.geometry]]
name = "tip"
shape = "sphere"
radius = 0.1
[[pair]]
name = "never"
bodies = ["rod", "ground"]
contact = "soft"
[contact.soft]
law = "hertz"
stiffness = 1e6
`;
  const model = pendulum(1, 0.01).replace("[[joint]]", never.replace(/\[\[pair[\s\S]*/, "") + "[[joint]]") + never.slice(never.indexOf("[[pair]]"));
  await viewing(runText("never_touches", model), async (address) => {
    const page = await openPage(browser, address);
    const names = await page.locator(".plot").first().locator(".curve").evaluateAll((curves) => curves.map((curve) => curve.title));
    assert.ok(names.length > 0);
    for (const name of names) {
      const values = await page.evaluate(async (name) => {
        const pairs = new Float64Array(await (await fetch(`api/column?name=${encodeURIComponent(name)}`)).arrayBuffer());
        return [...pairs].filter((_, k) => k % 2 === 1);
      }, name);
      assert.ok(Math.max(...values) > Math.min(...values), `${name} is no flat line`);
    }
    await picture(page, "first_plot");
    await closePage(page);
  });
}

// Fields for the parameters of a model: what does not fit is said at the field, what fits is run.
export async function checkParameters(browser, address) {
  const page = await openPage(browser, address);
  const field = page.locator('[data-parameter="clearance"]');
  assert.equal(await field.inputValue(), "0.05 mm", "as the file says it");
  assert.match(await page.locator(".field").first().textContent(), /= 5e−5 m · diametric/);
  await field.fill("5 kg");
  await page.getByRole("button", { name: "Run" }).click();
  await page.locator('[aria-invalid="true"]').waitFor();
  assert.match(await page.locator(".field .alert-text").textContent(), /expected a quantity of the same kind as "0.05 mm"/);
  await picture(page, "wrong_value");
  page.complaints.length = 0; // the browser reports the refusal
  await field.fill("-1 mm");
  await field.press("Enter");
  await page.locator('[aria-invalid="true"]').waitFor();
  assert.match(await page.locator(".field .alert-text").textContent(), /joint\.pin\.clearance\.diametric/);
  page.complaints.length = 0;
  assert.equal((await page.evaluate(async () => (await fetch("api/state")).json())).run.phase, "idle", "nothing was run");

  const radial = () => page.evaluate(async () => (await (await fetch("api/scene")).json()).joints.find(({ name }) => name === "pin").clearance.radial);
  // The page loads itself anew when the result of the run is there; until then it shows the older one and its words. A context that is closed while its page loads never ends.
  const runBy = async (start) => {
    await page.evaluate(() => (window.isOfTheOlderResult = true));
    await start();
    await page.waitForFunction(() => !window.isOfTheOlderResult && /done in/.test(document.querySelector("#run")?.textContent ?? ""), null, { timeout: 60000 });
    await page.waitForFunction(() => window.caromViewer?.ready && document.querySelector("#status").textContent === "complete");
    await ready(page);
  };
  const runWith = (text) =>
    runBy(async () => {
      await field.fill(text);
      await field.press("Enter");
    });
  await runWith("0.2 mm");
  assert.ok(Math.abs((await radial()) - 1e-4) < 1e-12, "the run had the value");
  assert.equal(await field.inputValue(), "0.2 mm", "and the field keeps it");
  await picture(page, "run_with_other_values");
  await page.getByRole("button", { name: "As in the file" }).click();
  assert.equal(await field.inputValue(), "0.05 mm");
  await runBy(() => page.getByRole("button", { name: "Run again" }).click());
  assert.ok((await radial()) < 3e-5, "and that of the file again");
  assert.deepEqual(page.complaints, []);
  await page.context().close();
}
