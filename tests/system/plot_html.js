/* plot_html.js BROWSER.js STEP.html BIG.html XY.html SPIRAL.html - pages in a real browser: curves drawn, zoom, cursors, traces, no requests. */
"use strict";
const [, , tool, step, big, xy, spiral] = process.argv, {open} = require(require("path").resolve(tool));
let failures = 0;
const claim = (holds, text) => { if (!holds) { failures++; console.log("FAILED:", text); } };
const near = (actual, expected, tolerance, text) =>
  claim(Math.abs(actual - expected) <= tolerance, `${text}: ${actual}, expected ${expected}`);

/* How many dots of a panel have the colour of a trace. */
const dots = (panel, trace) => `(() => {
  const canvas = document.querySelectorAll(".plot canvas")[${panel}], sample = document.querySelectorAll(".trace i")[${trace}];
  const [r, g, b] = getComputedStyle(sample).borderTopColor.match(/\\d+/g).map(Number);
  const at = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;
  let count = 0;
  for (let i = 0; i < at.length; i += 4)
    count += Math.abs(at[i] - r) + Math.abs(at[i + 1] - g) + Math.abs(at[i + 2] - b) < 60 && at[i + 3] > 200;
  return count; })()`;
const panel = i => `({...document.querySelectorAll(".plot")[${i}].dataset})`;
const place = i => `(({left, top, width, height}) => ({left, top, width, height}))(document.querySelectorAll(".u-over")[${i}].getBoundingClientRect())`;
const cells = `[...document.querySelectorAll("table tr")].map(r => [...r.cells].map(c => c.textContent))`;
const number = text => {
  const [, digits, prefix] = text.match(/^(-?[\d.]+) ?([afpn\u00b5mkMGT]?)/);
  return digits * 10 ** (3 * ["a", "f", "p", "n", "\u00b5", "m", "", "k", "M", "G", "T"].indexOf(prefix) - 18);
};

async function alone(page, name) {
  claim(page.requests.length === 1 && page.requests[0].startsWith("file:"), `${name} asks for ${page.requests}`);
  claim(page.errors.length === 0, `${name} has errors: ${page.errors}`);
  await page.close();
}

/* The low pass: v(in) is 1 V, v(out) = 1 - exp(-t/0.1ms). */
async function families() {
  const page = await open(step);
  await page.until("document.querySelector('html[data-ready]') !== null", "the page");
  await page.wait(200);
  claim(await page.evaluate("document.title") === "It's <b>odd</b> & \"quoted\" </script>", "the title is another one");
  claim(await page.evaluate("document.querySelectorAll('.plot').length") === 2, "not a panel of volts and one of amperes");
  claim(await page.evaluate(dots(0, 1)) > 300, "the second curve is not drawn");
  const whole = await page.evaluate(panel(0)), over = await page.evaluate(place(0));
  near(+whole.xMin, 0, 0, "begin of the axis");
  near(+whole.xMax, 1e-3, 1e-9, "end of the axis");
  await page.click(over.left + over.width * 0.1, over.top + 60);
  await page.wait(600);
  await page.click(over.left + over.width * 0.5, over.top + 60);
  await page.until("document.querySelectorAll('table td').length > 4", "the table of cursors");
  const table = await page.evaluate(cells), row = table.find(r => r[0] === "v(out), rv = 1 k");
  const [a, b] = table[1].slice(1, 3).map(number);
  near(a, 1e-4, 2e-6, "cursor A");
  near(b, 5e-4, 2e-6, "cursor B");
  near(number(table[1][3]), b - a, 1e-9, "difference of times");
  near(number(table[2][3]), 1 / (b - a), 1, "frequency of the difference");
  near(number(row[1]), 1 - Math.exp(-a / 1e-4), 2e-3, "value at A");
  near(number(row[2]), 1 - Math.exp(-b / 1e-4), 2e-3, "value at B");
  near(number(row[3]), number(row[2]) - number(row[1]), 2e-6, "difference of values");
  await page.drag(over.left + over.width * 0.2, over.left + over.width * 0.4, over.top + 80);
  await page.until("+document.querySelector('.plot').dataset.xMax < 5e-4", "the zoom");
  const zoomed = await page.evaluate(panel(0)), other = await page.evaluate(panel(1));
  near(+zoomed.xMin, 2e-4, 5e-6, "begin of the zoom");
  near(+zoomed.xMax, 4e-4, 5e-6, "end of the zoom");
  claim(other.xMin === zoomed.xMin && other.xMax === zoomed.xMax, "the other panel is not zoomed with it");
  claim(await page.evaluate(dots(0, 1)) > 100, "the second curve is gone after the zoom");
  await page.evaluate("document.querySelectorAll('.trace')[1].click()");
  await page.wait(100);
  claim(await page.evaluate(dots(0, 1)) === 0, "a trace that is off is drawn");
  claim(!(await page.evaluate(cells)).some(r => r[0] === "v(out), rv = 1 k"), "a trace that is off is in the table");
  await page.evaluate("document.querySelectorAll('.trace')[1].click()");
  const before = await page.evaluate("document.documentElement.dataset.theme");
  await page.evaluate("document.getElementById('theme').click()");
  claim(before !== await page.evaluate("document.documentElement.dataset.theme"), "the ground stays as it was");
  await page.wait(100);
  claim(await page.evaluate(dots(0, 1)) > 100, "the second curve is gone on the other ground");
  await page.evaluate("document.querySelectorAll('.tools button')[2].click()");
  await page.until("+document.querySelector('.plot').dataset.xMax > 9e-4", "the whole again");
  await page.resize(420, 800);
  await page.until("document.querySelector('.plot canvas').width <= 420", "a narrow page");
  await alone(page, "the page of a family");
}

/* 300,000 points with one spike of a single point at 70 %. */
async function long() {
  const page = await open(big);
  await page.until("document.querySelector('html[data-ready]') !== null", "the long page");
  await page.wait(300);
  const {yMax} = await page.evaluate(panel(0));
  claim(+yMax > 5, `the spike of one point is not within the axis: ${yMax}`);
  const ms = await page.evaluate(`(async () => {
    const zoom = document.querySelectorAll(".tools button"), begin = performance.now();
    for (let i = 0; i < 8; i++) { zoom[i % 4 < 2 ? 0 : 1].click(); await new Promise(done => requestAnimationFrame(() => setTimeout(done))); }
    return (performance.now() - begin) / 8; })()`);
  claim(ms < 1000, `a zoom takes ${ms} ms`);
  await alone(page, "the long page");
}

/* A circle: one vector over another. */
async function over() {
  const page = await open(xy);
  await page.until("document.querySelector('html[data-ready]') !== null", "the page of a circle");
  await page.wait(200);
  claim(await page.evaluate(dots(0, 0)) > 500, "the circle is not drawn");
  const {xMin, xMax} = await page.evaluate(panel(0));
  claim(+xMin <= -0.99 && +xMax >= 0.99, `the circle is not within the axis: ${xMin} .. ${xMax}`);
  /* Cursors are points of the curve: one near (0.6, -0.8), one near (0, 1), a few dots beside it. */
  const over = await page.evaluate(place(0)), {yMin, yMax} = await page.evaluate(panel(0));
  const spot = (x, y) => [over.left + over.width * (x - xMin) / (xMax - xMin), over.top + over.height * (yMax - y) / (yMax - yMin)];
  await page.click(spot(0.6, -0.8)[0] + 5, spot(0.6, -0.8)[1] + 2);
  await page.wait(600);
  await page.click(spot(0, 1)[0] + 2, spot(0, 1)[1] + 6);
  await page.until("document.querySelectorAll('table td').length > 4 && [...document.querySelectorAll('table td')].every(c => c.textContent !== '\u2013')",
    "the table of cursors in a panel without a scale");
  const table = await page.evaluate(cells), [across, up] = [table[1], table[2]].map(r => r.slice(1).map(number));
  near(Math.hypot(across[0], up[0]), 1, 1e-3, "A lies beside the circle");
  near(Math.hypot(across[1], up[1]), 1, 1e-3, "B lies beside the circle");
  near(across[0], 0.6, 0.03, "A is another point");
  near(up[1], 1, 0.02, "B is another point");
  near(across[2], across[1] - across[0], 1e-5, "difference along x");
  near(up[2], up[1] - up[0], 1e-5, "difference along y");
  await alone(page, "the page of a circle");
}

/* A spiral of 200,000 points: drawn dot by dot, at every zoom in a fraction of a second. */
async function many() {
  const page = await open(spiral);
  await page.until("document.querySelector('html[data-ready]') !== null", "the page of a spiral");
  await page.wait(200);
  claim(await page.evaluate(dots(0, 0)) > 2000, "the spiral is not drawn");
  const ms = await page.evaluate(`(async () => {
    const zoom = document.querySelectorAll(".tools button"), begin = performance.now();
    for (let i = 0; i < 8; i++) { zoom[i % 4 < 2 ? 0 : 1].click(); await new Promise(done => requestAnimationFrame(() => setTimeout(done))); }
    return (performance.now() - begin) / 8; })()`);
  claim(ms < 500, `a zoom of the spiral takes ${ms} ms`);
  await page.evaluate("document.querySelectorAll('.trace')[0].click()");
  await page.wait(100);
  claim(await page.evaluate(dots(0, 0)) === 0, "a spiral that is off is drawn");
  await alone(page, "the page of a spiral");
}

(async () => {
  for (const part of [families, long, over, many])
    try { await part(); } catch (error) { claim(false, `${part.name}: ${error.message}`); }
  process.exit(failures ? 1 : 0);
})();
