// Measures how fast the viewer draws and how soon it shows something: ./dev bench viewer
// Needs CAROM_PROGRAM and CAROM_SPHERE_RESULT, which writes a result of many spheres. The base is a bare three.js scene of as many instanced spheres (16 × 12 segments, no antialiasing,
// as the viewer does where the processor draws) in a canvas of the same size.
import { execFileSync } from "node:child_process";
import { rmSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { closePage, folder, launch, openPage, pendulum, runText, viewing } from "./support.mjs";

const sphereResult = process.env.CAROM_SPHERE_RESULT;
if (!sphereResult) throw new Error("set CAROM_SPHERE_RESULT to the program of benchmarks/sphere_result.cpp");
const seconds = 4; // of each measurement of frames

// Spheres that sway and spin, each a body, without contact: what counts here is drawing.
function spheres(count) {
  const result = join(folder, `spheres_${count}.h5`);
  execFileSync(sphereResult, [count, 1, 100, result].map(String));
  return result;
}

// The bare scene moves its spheres and draws them whenever the browser asks for a frame, and does nothing else.
const bareScene = `
import * as THREE from "three";
window.bare = (count, width, height) => {
  document.body.replaceChildren();
  const renderer = new THREE.WebGLRenderer({ antialias: false });
  renderer.setPixelRatio(1);
  renderer.setSize(width, height);
  document.body.append(renderer.domElement);
  const scene = new THREE.Scene();
  scene.background = new THREE.Color("#f7f9fb");
  scene.add(new THREE.HemisphereLight("#ffffff", "#8890a0", 1.6), new THREE.DirectionalLight("#ffffff", 1.8));
  const side = Math.ceil(Math.cbrt(count));
  const camera = new THREE.PerspectiveCamera(38, width / height, 0.1, 1000);
  camera.position.set(0.75, -1.25, 0.6).multiplyScalar(side);
  camera.up.set(0, 0, 1);
  camera.lookAt(side * 0.15, side * 0.15, side * 0.15);
  const mesh = new THREE.InstancedMesh(new THREE.SphereGeometry(0.1, 16, 12), new THREE.MeshLambertMaterial({ color: "#4878a8" }), count);
  mesh.frustumCulled = false;
  scene.add(mesh);
  const matrix = new THREE.Matrix4();
  window.drawn = 0;
  const draw = (now) => {
    for (let k = 0; k < count; ++k) {
      matrix.makeTranslation(0.3 * (k % side), 0.3 * (Math.floor(k / side) % side), 0.3 * Math.floor(k / side / side) + 0.1 * Math.sin(now / 300));
      mesh.setMatrixAt(k, matrix);
    }
    mesh.instanceMatrix.needsUpdate = true;
    renderer.render(scene, camera);
    ++window.drawn;
    requestAnimationFrame(draw);
  };
  requestAnimationFrame(draw);
};
`;

async function framesIn(page, counter) {
  await page.waitForTimeout(1000); // until it is in its stride
  const before = await page.evaluate(counter);
  const begin = Date.now();
  await page.waitForTimeout(1000 * seconds);
  return ((await page.evaluate(counter)) - before) / ((Date.now() - begin) / 1000);
}

async function measureBare(browser, count, { width, height }) {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  const bundle = await build({ stdin: { contents: bareScene, resolveDir: dirname(fileURLToPath(import.meta.url)) }, bundle: true, write: false, format: "iife", minify: true });
  await page.addScriptTag({ content: bundle.outputFiles[0].text });
  await page.evaluate(([n, w, h]) => window.bare(n, w, h), [count, width, height]);
  const rate = await framesIn(page, "window.drawn");
  await context.close();
  return rate;
}

// The fastest of three, since other work on the machine only slows down.
async function firstPaint(browser, address) {
  let best = Infinity;
  for (let attempt = 0; attempt < 3; ++attempt) {
    const page = await openPage(browser, address);
    best = Math.min(best, await page.evaluate(() => window.caromViewer.firstPaint));
    await page.context().close();
  }
  return best;
}

async function measureSpheres(browser, count) {
  await viewing(spheres(count), async (address) => {
    const soon = await firstPaint(browser, address);
    const page = await openPage(browser, address);
    const box = await page.locator("#scene canvas").boundingBox();
    await page.keyboard.press("Space");
    const rate = await framesIn(page, "window.caromViewer.frames");
    await closePage(page);
    const bare = await measureBare(browser, count, box);
    console.log(`${String(count).padStart(6)} spheres  ${rate.toFixed(1).padStart(5)} frames/s, bare scene ${bare.toFixed(1).padStart(5)}, ratio ${(rate / bare).toFixed(2)}; first picture ${soon.toFixed(0)} ms`);
  });
}

async function measureLong(browser, name, text) {
  const result = runText(name, text);
  await viewing(result, async (address) => {
    const soon = await firstPaint(browser, address);
    const page = await openPage(browser, address);
    await page.keyboard.press("Space");
    const rate = await framesIn(page, "window.caromViewer.frames");
    const size = statSync(result).size / 1e6;
    const asked = await page.evaluate(() => performance.getEntriesByType("resource").reduce((sum, entry) => sum + entry.encodedBodySize, 0));
    console.log(`${name.padEnd(14)} ${size.toFixed(0)} MB: first picture ${soon.toFixed(0)} ms, ${rate.toFixed(1)} frames/s while playing, ${(asked / 1e6).toFixed(1)} MB asked for in ${seconds + 1} s`);
    await closePage(page);
  });
}

const browser = await launch();
try {
  const wanted = process.argv.slice(2);
  const isWanted = (name) => wanted.length === 0 || wanted.includes(name);
  for (const count of [200, 1000, 10000]) if (isWanted(String(count))) await measureSpheres(browser, count);
  if (isWanted("long")) await measureLong(browser, "100 MB", pendulum(600, 0.001));
  if (isWanted("million")) await measureLong(browser, "10^6 samples", pendulum(1000, 0.001));
} finally {
  await browser.close();
  rmSync(folder, { recursive: true, force: true });
}
