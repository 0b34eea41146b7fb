/* dots.js - curves of very many points that go anywhere, drawn dot by dot: a path of a million lines takes a second, this a few
 * hundredths. */
"use strict";
const knotenDots = (() => {
  /* From a number to its place on the screen along an axis, from a corner of the panel. */
  function placing(u, axis) {
    const scale = u.scales[axis], {left, top} = u.bbox, log = scale.distr === 3, f = log ? Math.log : v => v;
    const low = u.valToPos(scale.min, axis, true), high = u.valToPos(scale.max, axis, true);
    const slope = (high - low) / (f(scale.max) - f(scale.min)), corner = axis === "x" ? left : top;
    const start = low - corner - slope * f(scale.min);
    return log ? v => slope * Math.log(v) + start : v => slope * v + start;
  }

  /* Very many lines that go anywhere: which dots of the screen they touch, each line cut off at the edges (Liang and Barsky,
   * ACM Trans. Graphics 3, 1984). */
  function touched(u, xs, ys) {
    const width = Math.round(u.bbox.width), height = Math.round(u.bbox.height), dots = new Uint8Array(width * height);
    const X = placing(u, "x"), Y = placing(u, "y");
    let pen = false, ax = 0, ay = 0;
    for (let i = 0; i < ys.length; i++) {
      const bx = X(xs[i]), by = Y(ys[i]);
      if (!(Math.abs(bx) < 1e9 && Math.abs(by) < 1e9)) { pen = false; continue; }
      if (pen && !((ax < 0 && bx < 0) || (ay < 0 && by < 0) || (ax >= width && bx >= width) || (ay >= height && by >= height))) {
        const dx = bx - ax, dy = by - ay;
        let from = 0, to = 1;
        if (dx !== 0) {
          const p = -ax / dx, q = (width - 1 - ax) / dx;
          from = Math.max(from, Math.min(p, q));
          to = Math.min(to, Math.max(p, q));
        }
        if (dy !== 0) {
          const p = -ay / dy, q = (height - 1 - ay) / dy;
          from = Math.max(from, Math.min(p, q));
          to = Math.min(to, Math.max(p, q));
        }
        if (from <= to) {
          const steps = Math.ceil(Math.max(Math.abs(dx), Math.abs(dy)) * (to - from)) || 1;
          for (let k = 0; k <= steps; k++) {
            const part = from + (to - from) * k / steps, x = ax + part * dx | 0, y = ay + part * dy | 0;
            if (x >= 0 && y >= 0 && x < width && y < height) dots[y * width + x] = 1;
          }
        }
      }
      pen = true;
      ax = bx;
      ay = by;
    }
    return dots;
  }

  /* The dots in a colour. */
  function stamp(u, dots, colour) {
    const width = Math.round(u.bbox.width), height = Math.round(u.bbox.height), sheet = document.createElement("canvas");
    sheet.width = width;
    sheet.height = height;
    const ctx = sheet.getContext("2d"), image = ctx.createImageData(width, height), bytes = new Uint32Array(image.data.buffer);
    ctx.fillStyle = colour;
    ctx.fillRect(0, 0, 1, 1);
    const ink = new Uint32Array(ctx.getImageData(0, 0, 1, 1).data.buffer)[0];
    for (let i = 0; i < bytes.length; i++) if (dots[i]) bytes[i] = ink;
    ctx.putImageData(image, 0, 0);
    u.ctx.drawImage(sheet, Math.round(u.bbox.left), Math.round(u.bbox.top));
  }

  /* The point nearest to one of the screen, in its dots. */
  function nearest(u, xs, ys, left, top) {
    const ratio = devicePixelRatio || 1, X = placing(u, "x"), Y = placing(u, "y");
    let best = Infinity, at = -1;
    for (let i = 0; i < ys.length; i++) {
      const dx = X(xs[i]) - left * ratio, dy = Y(ys[i]) - top * ratio, distance = dx * dx + dy * dy;
      if (distance < best) { best = distance; at = i; }
    }
    return {distance: Math.sqrt(best) / ratio, x: xs[at], y: ys[at]};
  }

  return {touched, stamp, nearest};
})();
