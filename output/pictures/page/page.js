/* page.js - knoten's page of curves: axes by uPlot; curves from the full data, thinned out to the columns of the screen at each zoom;
 * two cursors with differences; traces on and off; light and dark. */
"use strict";
(() => {
  const $ = (name, parent, words, text) => {
    const made = document.createElement(name);
    if (words) made.className = words;
    if (text !== undefined) made.textContent = text;
    if (parent) parent.append(made);
    return made;
  };
  const root = document.documentElement, chart = JSON.parse(document.getElementById("chart").textContent);
  const isDark = () => root.dataset.theme === "dark";
  const colour = name => getComputedStyle(root).getPropertyValue(name).trim();

  /* ---- numbers ---- */

  const vectors = new Map();
  function vector(number) {
    if (vectors.has(number)) return vectors.get(number);
    const element = document.getElementById("v" + number), text = atob(element.textContent);
    const bytes = new Uint8Array(text.length), size = +element.dataset.bytes;
    for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
    let made;
    if (new Uint8Array(new Uint16Array([1]).buffer)[0] === 1) {
      made = size === 4 ? new Float32Array(bytes.buffer) : new Float64Array(bytes.buffer);
    } else {
      const view = new DataView(bytes.buffer);
      made = Float64Array.from({length: bytes.length / size}, (_, i) =>
        size === 4 ? view.getFloat32(4 * i, true) : view.getFloat64(8 * i, true));
    }
    element.textContent = "";
    vectors.set(number, made);
    return made;
  }

  const PREFIXES = ["a", "f", "p", "n", "\u00b5", "m", "", "k", "M", "G", "T"];
  const takesPrefix = unit => !["dB", "\u00b0", "rad"].includes(unit);
  const groupOf = size => size > 0 && isFinite(size) ? Math.max(-6, Math.min(4, Math.floor(Math.log10(size) / 3 + 1e-9))) : 0;

  /* "1.2345 ms", with so many digits. */
  function shown(value, unit, digits = 6) {
    if (value === null || value === undefined || Number.isNaN(value)) return "\u2013";
    if (value === 0 || !isFinite(value)) return `${value} ${unit}`.trim();
    if (!takesPrefix(unit)) return `${+value.toPrecision(digits)} ${unit}`;
    const rounded = Math.abs(+value.toPrecision(digits)), group = groupOf(rounded);
    return `${+(value / 10 ** (3 * group)).toPrecision(digits)} ${PREFIXES[group + 6]}${unit}`.trim();
  }

  /* Labels of ticks: one prefix for all of them, and digits enough to tell neighbours apart. */
  function labels(unit, splits, step, logarithmic) {
    if (logarithmic) return splits.map(v => v === null ? null : shown(v, unit, 3));
    const size = Math.max(...splits.map(Math.abs)), group = takesPrefix(unit) ? groupOf(size * 1.25) : 0, power = 10 ** (3 * group);
    const own = step / power;
    let decimals = 0;
    while (decimals < 15 && Math.abs(+own.toFixed(decimals) - own) > 1e-6 * own) decimals++;
    return splits.map(v => `${(v / power).toFixed(decimals)} ${PREFIXES[group + 6]}${unit}`.trim());
  }

  /* First place at or behind x in numbers that do not fall. */
  function place(xs, x) {
    let low = 0, high = xs.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (xs[middle] < x) low = middle + 1; else high = middle;
    }
    return low;
  }

  /* ---- curves ---- */

  const BLOCK = 64, MANY = 20000; /* points of a curve that goes anywhere */
  const NEAR = 24; /* dots: a click that near to a curve means a point of it */

  class Curve {
    constructor(trace, panel) {
      Object.assign(this, trace);
      this.panel = panel;
      this.xs = vector(trace.x);
      this.ys = vector(trace.y);
      this.visible = true;
      this.blocks();
      this.range = this.extent(0, this.ys.length);
    }

    usable(y) { return isFinite(y) && (!this.panel.y.log || y > 0); }

    /* Least and greatest of each block of numbers, so that no zoom looks at all of them. */
    blocks() {
      const count = Math.ceil(this.ys.length / BLOCK);
      this.least = new Float64Array(count).fill(Infinity);
      this.greatest = new Float64Array(count).fill(-Infinity);
      for (let i = 0; i < this.ys.length; i++) {
        const y = this.ys[i], k = i / BLOCK | 0;
        if (!this.usable(y)) continue;
        if (y < this.least[k]) this.least[k] = y;
        if (y > this.greatest[k]) this.greatest[k] = y;
      }
    }

    extent(from, until) {
      let least = Infinity, greatest = -Infinity, i = from;
      const one = y => {
        if (!this.usable(y)) return;
        if (y < least) least = y;
        if (y > greatest) greatest = y;
      };
      while (i < until && i % BLOCK) one(this.ys[i++]);
      for (; i + BLOCK <= until; i += BLOCK) {
        least = Math.min(least, this.least[i / BLOCK]);
        greatest = Math.max(greatest, this.greatest[i / BLOCK]);
      }
      while (i < until) one(this.ys[i++]);
      return [least, greatest];
    }

    /* Numbers of the points from a to b and of one beside them. */
    between(a, b) {
      if (this.panel.disordered) return [0, this.xs.length];
      return [Math.max(0, place(this.xs, a) - 1), Math.min(this.xs.length, place(this.xs, b) + 2)];
    }

    /* On the straight line between two points; NaN outside. */
    value(x) {
      const xs = this.xs, last = xs.length - 1;
      if (!(x >= xs[0] && x <= xs[last])) return NaN;
      const i = Math.max(1, place(xs, x));
      if (xs[i] === x) return this.ys[i];
      const part = (x - xs[i - 1]) / (xs[i] - xs[i - 1]);
      return this.ys[i - 1] + part * (this.ys[i] - this.ys[i - 1]);
    }

    path(u) {
      const path = new Path2D(), {left, width} = u.bbox, scale = u.scales.x;
      this.dots = null;
      if (this.panel.disordered && this.ys.length > MANY) {
        this.dots = knotenDots.touched(u, this.xs, this.ys);
        return path;
      }
      const [from, until] = this.between(scale.min, scale.max);
      const X = x => u.valToPos(x, "x", true), Y = y => u.valToPos(y, "y", true);
      if (this.panel.disordered || until - from < 4 * width) this.every(path, from, until, X, Y);
      else this.columns(path, u, from, until, left, width, Y);
      return path;
    }

    /* What knotenDots.touched has found, in the colour of the curve. */
    stamp(u) {
      if (this.dots && this.visible) knotenDots.stamp(u, this.dots, isDark() ? this.dark : this.light);
    }

    every(path, from, until, X, Y) {
      let pen = false, lastX = NaN, lastY = NaN;
      for (let i = from; i < until; i++) {
        const x = this.xs[i], y = this.ys[i];
        if (!this.usable(y) || (this.panel.x.log && !(x > 0))) { pen = false; continue; }
        const px = X(x), py = Y(y);
        if (pen && Math.abs(px - lastX) < 0.3 && Math.abs(py - lastY) < 0.3) continue;
        if (pen) path.lineTo(px, py); else path.moveTo(px, py);
        pen = true;
        lastX = px;
        lastY = py;
      }
    }

    /* Of each column of the screen the first, the least, the greatest and the last. */
    columns(path, u, from, until, left, width, Y) {
      let begin = from, pen = false;
      for (let column = 0; column <= width && begin < until; column++) {
        const end = column === width ? until : Math.min(until, place(this.xs, u.posToVal(left + column + 1, "x", true)));
        if (end <= begin) continue;
        const [least, greatest] = this.extent(begin, end), px = left + column + 0.5;
        if (least <= greatest) {
          const first = this.usable(this.ys[begin]) ? this.ys[begin] : least;
          const last = this.usable(this.ys[end - 1]) ? this.ys[end - 1] : greatest;
          if (pen) path.lineTo(px, Y(first)); else path.moveTo(px, Y(first));
          path.lineTo(px, Y(least));
          path.lineTo(px, Y(greatest));
          path.lineTo(px, Y(last));
          pen = true;
        }
        begin = end;
      }
    }
  }

  /* ---- panels ---- */

  function widened(low, high, logarithmic, part) {
    if (!(low <= high)) return logarithmic ? [1, 10] : [-1, 1];
    if (logarithmic) {
      const factor = low === high ? 2 : (high / low) ** part;
      return [low / factor, high * factor];
    }
    const margin = high - low > 1e-9 * Math.max(Math.abs(low), Math.abs(high)) ? part * (high - low) : 0.1 * Math.abs(low) || 1;
    return [low - margin, high + margin];
  }

  class Panel {
    constructor(description, group, last) {
      Object.assign(this, description);
      this.group = group;
      this.last = last;
      this.curves = description.traces.map(t => new Curve(t, this));
      this.head = $("div", group.element, "head");
      this.listButtons();
      this.at = $("span", this.head, "at");
      this.element = $("div", group.element, "plot");
      this.element.dataset.unit = this.y.unit;
    }

    /* A button for each trace; those of many runs go with the first. */
    listButtons() {
      this.curves.forEach((curve, i) => {
        if (!curve.listed) return;
        let behind = i + 1;
        while (behind < this.curves.length && !this.curves[behind].listed) behind++;
        const button = $("button", this.head, "trace"), sample = $("i", button);
        button.append(curve.name);
        button.setAttribute("aria-pressed", "true");
        button.title = "show or hide";
        button.onclick = () => this.show(i, behind, !curve.visible, button);
        curve.sample = sample;
      });
    }

    show(from, until, visible, button) {
      for (let i = from; i < until; i++) {
        this.curves[i].visible = visible;
        this.plot.setSeries(i + 1, {show: visible});
      }
      button.setAttribute("aria-pressed", visible);
      this.fit();
      this.group.table();
    }

    /* x of all curves. */
    extent() {
      let low = Infinity, high = -Infinity;
      for (const c of this.curves) {
        if (!c.xs.length) continue;
        const ends = this.disordered ? c.xs : [c.xs[0], c.xs[c.xs.length - 1]];
        for (const x of ends) {
          if (!isFinite(x) || (this.x.log && !(x > 0))) continue;
          if (x < low) low = x;
          if (x > high) high = x;
        }
        if (this.x.log && !this.disordered && !(c.xs[0] > 0)) low = Math.min(low, c.xs[place(c.xs, Number.MIN_VALUE)] || low);
      }
      return [low, high];
    }

    /* y of what is visible of the curves that are shown. */
    heights() {
      let low = Infinity, high = -Infinity;
      for (const c of this.curves) {
        if (!c.visible) continue;
        const [from, until] = c.between(...this.group.range), [least, greatest] = c.extent(from, until);
        low = Math.min(low, least);
        high = Math.max(high, greatest);
      }
      return widened(low, high, this.y.log, 0.05);
    }

    fit() {
      const [min, max] = this.y.from !== null && this.y.to !== null ? [this.y.from, this.y.to] : this.heights();
      this.plot.setScale("y", {min, max});
    }

    axis(side, description, size) {
      return {
        size, side, label: side === 2 && this.last && description.label ? description.label : null, labelSize: 22, labelGap: 0,
        labelFont: "13px system-ui, 'DejaVu Sans', sans-serif", font: "12px system-ui, 'DejaVu Sans', sans-serif", stroke: () => colour("--ink"), space: side === 3 ? 34 : 90,
        grid: {stroke: () => colour("--grid"), width: 1}, ticks: {stroke: () => colour("--line"), width: 1, size: 5},
        values: (u, splits, index, space, step) => labels(description.unit, splits, step, description.log),
      };
    }

    height() { return Math.max(170, Math.min(420, Math.round((window.innerHeight - 190) / Math.min(3, this.group.panels.length)))); }

    draw() {
      const x = this.group.range, lines = [undefined, [10, 5], [2, 4]];
      const series = this.curves.map(c => ({
        label: c.name, scale: "y", width: this.curves.length > 12 ? 1 : 1.6, points: {show: false}, dash: lines[c.dash],
        stroke: () => isDark() ? c.dark : c.light, paths: u => ({stroke: c.path(u), fill: null}),
      }));
      const [low, high] = widened(...this.curves.reduce((r, c) => [Math.min(r[0], c.range[0]), Math.max(r[1], c.range[1])],
        [Infinity, -Infinity]), this.y.log, 0.05);
      this.plot = new uPlot({
        width: this.element.clientWidth || 800, height: this.height(), legend: {show: false}, series: [{}, ...series],
        padding: [8, 34, 0, 0],
        scales: {x: {time: false, auto: false, distr: this.x.log ? 3 : 1}, y: {auto: false, distr: this.y.log ? 3 : 1}},
        axes: [this.axis(2, this.x, 32), this.axis(3, this.y, Math.max(...this.group.panels.map(p => p.y.unit.length)) > 2 ? 104 : 74)],
        cursor: {points: {show: false}, drag: {x: true, y: this.disordered, setScale: false, dist: 4},
          sync: {key: "group" + this.group.number, setSeries: false, scales: ["x", null]}},
        hooks: {setSelect: [u => this.selected(u)], setCursor: [u => this.hover(u)], draw: [u => this.marked(u)],
          drawSeries: [(u, i) => this.curves[i - 1].stamp(u)],
          setScale: [() => this.group.moved()]},
      }, [[x[0], x[1]], ...this.curves.map(() => [low, high])], this.element);
      this.plot.setScale("x", {min: x[0], max: x[1]});
      this.fit();
      this.paint();
      this.listen();
    }

    paint() { for (const c of this.curves) if (c.sample) c.sample.style.borderTopColor = isDark() ? c.dark : c.light; }

    selected(u) {
      const {left, top, width, height} = u.select;
      if (this.group.under !== this) { /* uPlot selects in all panels of a group */
        u.setSelect({left: 0, top: 0, width: 0, height: 0}, false);
        return;
      }
      if (width < 4) return;
      const from = u.posToVal(left, "x"), to = u.posToVal(left + width, "x");
      const high = u.posToVal(top, "y"), low = u.posToVal(top + height, "y");
      u.setSelect({left: 0, top: 0, width: 0, height: 0}, false);
      this.group.zoom(from, to);
      if (this.disordered && height >= 4) u.setScale("y", {min: low, max: high});
    }

    hover(u) {
      const {left, top} = u.cursor;
      this.at.textContent = left >= 0 && top >= 0
        ? `${shown(u.posToVal(left, "x"), this.x.unit)}, ${shown(u.posToVal(top, "y"), this.y.unit, 4)}` : "";
    }

    /* Results of measurements. */
    marked(u) {
      const {ctx, bbox} = u, ratio = devicePixelRatio || 1;
      ctx.save();
      ctx.beginPath();
      ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
      ctx.clip();
      ctx.font = `${12 * ratio}px system-ui, 'DejaVu Sans', sans-serif`;
      ctx.textAlign = "left";
      ctx.textBaseline = "alphabetic";
      ctx.lineWidth = ratio;
      this.marks.forEach((m, i) => {
        const x = u.valToPos(m.x, "x", true), to = m.to === null ? null : u.valToPos(m.to, "x", true);
        const y = m.y === null ? bbox.top + (10 + 18 * (i % 8)) * ratio : u.valToPos(m.y, "y", true);
        ctx.strokeStyle = ctx.fillStyle = colour("--faint");
        ctx.setLineDash([3 * ratio, 3 * ratio]);
        for (const at of to === null ? [x] : [x, to]) {
          ctx.beginPath();
          ctx.moveTo(at, bbox.top);
          ctx.lineTo(at, bbox.top + bbox.height);
          ctx.stroke();
        }
        ctx.setLineDash([]);
        if (to !== null) {
          ctx.beginPath();
          ctx.moveTo(x, y);
          ctx.lineTo(to, y);
          ctx.stroke();
        }
        ctx.fillStyle = colour("--ink");
        if (m.y !== null) {
          ctx.beginPath();
          ctx.arc(x, y, 3.5 * ratio, 0, 2 * Math.PI);
          ctx.fill();
        }
        const width = ctx.measureText(m.label).width, behind = Math.max(x, to === null ? x : to) + 7 * ratio;
        const right = behind + width < bbox.left + bbox.width;
        ctx.fillText(m.label, right ? behind : Math.min(x, to === null ? x : to) - width - 7 * ratio, y + (m.y === null ? 4 : y < bbox.top + 24 * ratio ? 18 : -7) * ratio);
      });
      ctx.restore();
    }

    /* Clicks set cursors, Ctrl and the wheel zoom, Shift and dragging moves. */
    listen() {
      const over = this.plot.over, group = this.group;
      let pressed = null;
      const at = event => event.clientX - over.getBoundingClientRect().left;
      const below = event => event.clientY - over.getBoundingClientRect().top;
      over.addEventListener("mousedown", event => {
        pressed = event.button === 0 ? {x: event.clientX, y: event.clientY} : null;
        if (pressed && event.shiftKey) {
          event.stopImmediatePropagation();
          group.pan(this, event);
          pressed = null;
        }
      }, true);
      over.addEventListener("click", event => {
        if (pressed && Math.hypot(event.clientX - pressed.x, event.clientY - pressed.y) < 4)
          group.set(this.point(at(event), below(event)), event.shiftKey);
      });
      over.addEventListener("dblclick", event => { event.stopImmediatePropagation(); group.reset(); }, true);
      over.addEventListener("wheel", event => {
        if (!event.ctrlKey && !event.metaKey) return;
        event.preventDefault();
        group.scale(event.deltaY > 0 ? 1.25 : 0.8, this.plot.posToVal(at(event), "x"));
      }, {passive: false});
      over.addEventListener("mouseenter", () => { current = group; group.under = this; });
      this.handles = group.cursors.map((_, i) => {
        const handle = $("div", over, "cursor " + "ab"[i]);
        $("span", handle, "", "AB"[i]);
        handle.hidden = true;
        handle.addEventListener("mousedown", event => {
          event.stopPropagation();
          event.preventDefault();
          const move = e => group.put(i, this.point(at(e), below(e)));
          const end = () => { removeEventListener("mousemove", move); removeEventListener("mouseup", end); };
          addEventListener("mousemove", move);
          addEventListener("mouseup", end);
        });
        handle.addEventListener("click", event => event.stopPropagation());
        return handle;
      });
      this.levels = group.cursors.map((_, i) => {
        const level = $("div", over, "level " + "ab"[i]);
        level.hidden = true;
        return level;
      });
    }

    /* Where a click at a place means: over a scale any x, elsewhere a point of a curve that is near, or the place itself. */
    point(left, top) {
      const there = {x: this.plot.posToVal(left, "x"), y: this.plot.posToVal(top, "y"), panel: this};
      if (!this.disordered) return there;
      const found = this.curves.filter(c => c.visible && c.ys.length).map(c => knotenDots.nearest(this.plot, c.xs, c.ys, left, top))
        .reduce((best, one) => one.distance < best.distance ? one : best, {distance: Infinity});
      return found.distance <= NEAR ? {x: found.x, y: found.y, panel: this} : there;
    }

    place() {
      if (!this.handles) return;
      this.group.cursors.forEach((x, i) => {
        const left = x === null ? -1 : this.plot.valToPos(x, "x");
        this.handles[i].hidden = !(left >= -1e-6 && left <= this.plot.over.clientWidth + 1e-6) || x === null;
        this.handles[i].style.left = left + "px";
        const y = this.disordered && this.group.heights[i] && this.group.heights[i].panel === this ? this.group.heights[i].y : null;
        const top = y === null ? -1 : this.plot.valToPos(y, "y");
        this.levels[i].hidden = !(top >= 0 && top <= this.plot.over.clientHeight) || x === null || y === null;
        this.levels[i].style.top = top + "px";
      });
      Object.assign(this.element.dataset, {xMin: this.plot.scales.x.min, xMax: this.plot.scales.x.max,
        yMin: this.plot.scales.y.min, yMax: this.plot.scales.y.max});
    }
  }

  /* ---- groups: panels over one scale ---- */

  let current = null;

  class Group {
    constructor(number, panels) {
      this.number = number;
      this.cursors = [null, null];
      this.heights = [null, null]; /* of cursors in panels without a scale: {y, panel} */
      this.element = $("section", document.body);
      if (panels[0].title) $("h2", this.element, "", panels[0].title);
      this.panels = panels.map((p, i) => new Panel(p, this, i === panels.length - 1));
      this.x = this.panels[0].x;
      const ends = this.panels.map(p => p.extent());
      this.whole = this.x.from !== null && this.x.to !== null ? [this.x.from, this.x.to]
        : [Math.min(...ends.map(e => e[0])), Math.max(...ends.map(e => e[1]))];
      if (!(this.whole[0] < this.whole[1])) this.whole = widened(...this.whole, this.x.log, 0.1);
      this.range = this.whole.slice();
      this.sheet = $("table", this.element);
      this.sheet.hidden = true;
    }

    draw() { this.panels.forEach(p => p.draw()); this.moved(); }

    moved() { if (this.panels.every(p => p.plot)) this.panels.forEach(p => p.place()); }

    zoom(from, to) {
      if (!(to > from) || !(to - from > 1e-12 * Math.max(Math.abs(from), Math.abs(to)))) return;
      this.range = [from, to];
      this.panels.forEach(p => p.plot.batch(() => { p.plot.setScale("x", {min: from, max: to}); p.fit(); }));
      this.moved();
    }

    reset() { this.zoom(...this.whole); }

    scale(factor, about) {
      const [from, to] = this.range, f = this.x.log ? Math.log : v => v, back = this.x.log ? Math.exp : v => v;
      const middle = about === undefined ? (f(from) + f(to)) / 2 : f(about);
      this.zoom(back(Math.max(f(this.whole[0]), middle + (f(from) - middle) * factor)),
        back(Math.min(f(this.whole[1]), middle + (f(to) - middle) * factor)));
    }

    pan(panel, event) {
      const begin = this.range.slice(), width = panel.plot.over.clientWidth, start = event.clientX;
      const f = this.x.log ? Math.log : v => v, back = this.x.log ? Math.exp : v => v;
      const move = e => {
        const shift = (start - e.clientX) / width * (f(begin[1]) - f(begin[0]));
        this.zoom(back(f(begin[0]) + shift), back(f(begin[1]) + shift));
      };
      const end = () => { removeEventListener("mousemove", move); removeEventListener("mouseup", end); };
      addEventListener("mousemove", move);
      addEventListener("mouseup", end);
    }

    /* The first click is A, the second B; later ones move the nearer. */
    set(point, second) {
      const x = point.x, [a, b] = this.cursors, f = this.x.log ? Math.log : v => v;
      this.put(second ? 1 : a === null ? 0 : b === null ? 1 : this.nearer(f, point) ? 0 : 1, point);
    }

    /* Whether A lies nearer than B. */
    nearer(f, point) {
      const way = i => {
        const {min, max} = point.panel.plot.scales.y, across = (f(point.x) - f(this.cursors[i])) / (f(this.range[1]) - f(this.range[0]));
        const height = point.panel.disordered && this.heights[i] ? (point.y - this.heights[i].y) / (max - min) : 0;
        return Math.hypot(across, height);
      };
      return way(0) <= way(1);
    }

    put(i, point) {
      const x = point && point.x;
      this.heights[i] = point && point.panel.disordered ? {y: point.y, panel: point.panel} : null;
      this.cursors[i] = x === null ? null : Math.min(this.whole[1], Math.max(this.whole[0], x));
      this.moved();
      this.table();
    }

    table() {
      const [a, b] = this.cursors, sheet = this.sheet, both = a !== null && b !== null;
      sheet.hidden = a === null && b === null;
      sheet.replaceChildren();
      const row = (parent, kind, cells) => {
        const line = $("tr", parent);
        cells.forEach((text, i) => $(i === 0 ? "th" : kind, line, "", text));
      };
      row($("thead", sheet), "th", ["", "A", "B", "B \u2212 A"]);
      const body = $("tbody", sheet), x = this.x;
      row(body, "td", [x.label || "x", shown(a, x.unit), shown(b, x.unit), both ? shown(b - a, x.unit) : "\u2013"]);
      if (both && x.unit === "s" && b !== a) row(body, "td", ["1/(B \u2212 A)", "", "", shown(1 / (b - a), "Hz")]);
      for (const p of this.panels) {
        const [ya, yb] = this.heights.map(h => h && h.panel === p ? h.y : null);
        if (!p.disordered || (ya === null && yb === null)) continue;
        row(body, "td", [p.y.label || (p.curves.length === 1 ? p.curves[0].name : "y"), shown(ya, p.y.unit), shown(yb, p.y.unit),
          ya !== null && yb !== null ? shown(yb - ya, p.y.unit) : "\u2013"]);
      }
      for (const p of this.panels)
        for (const c of p.disordered ? [] : p.curves) {
          if (!c.visible || p.curves.length > 24) continue;
          const at = this.cursors.map(t => t === null ? NaN : c.value(t));
          row(body, "td", [c.name, shown(at[0], p.y.unit), shown(at[1], p.y.unit), shown(at[1] - at[0], p.y.unit)]);
        }
    }
  }

  /* ---- the page ---- */

  if (!root.dataset.theme) root.dataset.theme = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
  const header = $("header", document.body);
  $("h1", header, "", chart.title);
  const tools = $("div", header, "tools"), groups = [];
  const tool = (text, title, act) => {
    const button = $("button", tools, "", text);
    button.title = title;
    button.setAttribute("aria-label", title);
    button.onclick = act;
    return button;
  };
  const each = act => (current ? [current] : groups).forEach(act);
  tool("+", "zoom in (key +)", () => each(g => g.scale(0.5)));
  tool("\u2212", "zoom out (key -)", () => each(g => g.scale(2)));
  tool("all", "show everything (double click, key 0)", () => groups.forEach(g => g.reset()));
  tool("A B", "take the cursors away (Esc)", () => groups.forEach(g => { g.put(0, null); g.put(1, null); }));
  tool("\u25d0", "light or dark", () => {
    root.dataset.theme = isDark() ? "light" : "dark";
    groups.forEach(g => g.panels.forEach(p => { p.paint(); p.plot.redraw(false, true); }));
  }).id = "theme";

  for (const p of chart.panels) if (!groups.some(g => g.number === p.group))
    groups.push(new Group(p.group, chart.panels.filter(q => q.group === p.group)));
  $("p", document.body, "help", "Drag: zoom. Double click: everything. Click: cursor A, then B; drag them. Ctrl + wheel: zoom. Shift + drag: move. " +
    "Click a name: show or hide.");
  groups.forEach(g => g.draw());

  let waiting = 0;
  addEventListener("resize", () => {
    cancelAnimationFrame(waiting);
    waiting = requestAnimationFrame(() => groups.forEach(g => {
      g.panels.forEach(p => p.plot.setSize({width: p.element.clientWidth, height: p.height()}));
      g.moved();
    }));
  });
  addEventListener("keydown", event => {
    const group = current || groups[0];
    if (!group || event.ctrlKey || event.metaKey || event.altKey) return;
    const under = group.under, x = under && under.plot.cursor.left >= 0 ? under.plot.posToVal(under.plot.cursor.left, "x") : null;
    if (event.key === "+") group.scale(0.5);
    else if (event.key === "-") group.scale(2);
    else if (event.key === "0") group.reset();
    else if (event.key === "Escape") { group.put(0, null); group.put(1, null); }
    else if ((event.key === "a" || event.key === "b") && x !== null)
      group.put(event.key === "a" ? 0 : 1, under.point(under.plot.cursor.left, under.plot.cursor.top));
  });
  root.dataset.ready = "yes";
})();
