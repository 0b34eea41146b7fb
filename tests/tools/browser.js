/* browser.js - a headless Chromium for tests, driven through two pipes by its DevTools protocol: messages of JSON, each ended by
 * a zero byte.  open(path) gives what a test needs of the page. */
"use strict";
const {spawn} = require("child_process"), fs = require("fs"), path = require("path"), os = require("os");

exports.open = async (page, width = 1200, height = 900) => {
  const profile = fs.mkdtempSync(path.join(os.tmpdir(), "knoten-browser-"));
  const browser = spawn(process.env.CHROMIUM || "chromium", ["--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
    "--disable-dev-shm-usage", "--remote-debugging-pipe", `--user-data-dir=${profile}`, "about:blank"],
    {stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"]});
  let number = 0, received = "";
  const waiting = new Map(), requests = [], errors = [];
  const send = (method, params, sessionId) => new Promise((resolve, reject) => {
    waiting.set(++number, {resolve, reject});
    browser.stdio[3].write(JSON.stringify({id: number, method, params: params || {}, sessionId}) + "\0");
  });
  const take = message => {
    if (message.method === "Network.requestWillBeSent") requests.push(message.params.request.url);
    if (message.method === "Runtime.exceptionThrown") errors.push(JSON.stringify(message.params.exceptionDetails));
    if (message.method === "Log.entryAdded" && message.params.entry.level === "error") errors.push(message.params.entry.text);
    const call = waiting.get(message.id);
    if (!call) return;
    waiting.delete(message.id);
    if (message.error) call.reject(new Error(message.error.message)); else call.resolve(message.result);
  };
  browser.stdio[4].on("data", bytes => {
    received += bytes;
    for (let end; (end = received.indexOf("\0")) >= 0; received = received.slice(end + 1)) take(JSON.parse(received.slice(0, end)));
  });
  const {targetId} = await send("Target.createTarget", {url: "about:blank"});
  const {sessionId} = await send("Target.attachToTarget", {targetId, flatten: true});
  const call = (method, params) => send(method, params, sessionId);
  for (const part of ["Network", "Runtime", "Log", "Page"]) await call(part + ".enable");
  await call("Emulation.setDeviceMetricsOverride", {width, height, deviceScaleFactor: 1, mobile: false});
  await call("Page.navigate", {url: "file://" + path.resolve(page)});

  const wait = ms => new Promise(resolve => setTimeout(resolve, ms));
  const evaluate = async expression => {
    const {result, exceptionDetails} = await call("Runtime.evaluate", {expression, returnByValue: true, awaitPromise: true});
    if (exceptionDetails) throw new Error(exceptionDetails.exception.description);
    return result.value;
  };
  const until = async (expression, what) => {
    for (let i = 0; i < 300; i++, await wait(50)) if (await evaluate(expression)) return;
    throw new Error(`waited in vain for ${what}`);
  };
  const mouse = (type, x, y, more) => call("Input.dispatchMouseEvent", {type, x, y, button: "left", clickCount: 1, ...more});
  return {
    requests, errors, evaluate, until, wait,
    click: async (x, y) => {
      await mouse("mouseMoved", x, y, {button: "none"});
      await mouse("mousePressed", x, y);
      await mouse("mouseReleased", x, y);
    },
    drag: async (x0, x1, y) => {
      await mouse("mouseMoved", x0, y, {button: "none"});
      await mouse("mousePressed", x0, y);
      for (let i = 1; i <= 8; i++) await mouse("mouseMoved", x0 + (x1 - x0) * i / 8, y, {buttons: 1});
      await mouse("mouseReleased", x1, y);
    },
    resize: (w, h) => call("Emulation.setDeviceMetricsOverride", {width: w, height: h, deviceScaleFactor: 1, mobile: false}),
    picture: async file => fs.writeFileSync(file, Buffer.from((await call("Page.captureScreenshot", {format: "png"})).data, "base64")),
    /* Its processes end one after the other, and the last ones may still write into the profile. */
    close: async () => {
      const gone = new Promise(resolve => browser.on("exit", resolve));
      send("Browser.close").catch(() => {});
      await gone;
      for (let i = 0; i < 100 && fs.existsSync(profile); i++)
        try { fs.rmSync(profile, {recursive: true, force: true}); } catch (error) { await wait(50); }
    },
  };
};
