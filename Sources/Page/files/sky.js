// The constellation, drawn: what rests on one canvas, what moves for its own sake on another. No frame without a reason.

import { STEPS, Slots, hash, radius } from "./slots.js";
import { SPRINGS, breathe, jump, spring, step } from "./springs.js";
import { latencyText } from "./text.js";

const TURN = 2 * Math.PI;
const HUB = 34; // the radius of this device
const SIGNS = { cross: "×", bar: "–", shield: "!", dots: "…", hourglass: "⏳", half: "½", twin: "=", open: "○" };
const STARS = Array.from({ length: 170 }, (_, i) => [hash(`x${i}`), hash(`y${i}`), hash(`size${i}`)]);
/** The time after which ambient motion ends where it is to be subtle. */
const CALM = 10_000;

const faded = (color, alpha) => color.replace(/^rgba?\(([^,]+), ([^,]+), ([^,)]+).*$/, `rgb($1 $2 $3 / ${alpha})`);
const short = (text) => ([...text].length > 18 ? `${[...text].slice(0, 17).join("")}…` : text);

export class Sky {
  nodes = new Map();
  motion = "full";
  zoom = spring(1, SPRINGS.snap, 0.0005);
  panX = spring(0, SPRINGS.snap);
  panY = spring(0, SPRINGS.snap);
  isShown = true;
  isUnfolded = false;
  hovered = null;
  focused = null;
  caption = "";
  #slots = new Slots();
  #size = spring(22);
  #order = [];
  #sign = "";
  #sprites = new Map();
  #radar = { alpha: spring(0, SPRINGS.normal, 0.005), angle: 0, isOn: false };
  #request = 0;
  #last = 0;
  #touched = 0;
  #isStale = true;

  constructor(still, live) {
    this.still = still.getContext("2d", { alpha: false });
    this.live = live.getContext("2d");
  }

  /** Takes in what is to be shown, and the ids of that which a filter leaves bright. */
  update(faces, bright) {
    const places = this.#slots.place(faces);
    const shown = faces.map(({ latency, ...face }) => [face, places.get(face.id).key]);
    const sign = JSON.stringify([shown, bright && [...bright], this.isUnfolded, this.caption, this.motion]);
    if (sign === this.#sign) return;
    this.#sign = sign;
    const isFirst = this.nodes.size === 0;
    for (const face of faces) {
      const place = places.get(face.id);
      const isHidden = face.isFolded && !this.isUnfolded;
      const r = radius(place.track);
      const angle = place.turn * TURN - TURN / 4;
      const [x, y] = isHidden ? [0, this.reach + 40] : [r * Math.cos(angle), r * Math.sin(angle)];
      let node = this.nodes.get(face.id);
      if (!node) {
        node = { x: spring(x), y: spring(y), scale: spring(isFirst && face.tether ? 1 : 0, SPRINGS.reveal, 0.005), flash: spring(0, SPRINGS.gentle, 0.01), turn: place.turn, isAwaited: this.#radar.isOn };
        this.nodes.set(face.id, node);
      }
      if (node.face?.isLive && !face.isLive) node.flash.value = 1;
      Object.assign(node, { face, place, isHidden, turn: place.turn, isDim: bright !== null && !bright.has(face.row), isOver: false });
      node.x.target = x;
      node.y.target = y;
      node.scale.target = isHidden || node.isAwaited ? 0 : 1;
    }
    const ids = new Set(faces.map((f) => f.id));
    for (const [id, node] of this.nodes) if (!ids.has(id)) { node.isOver = true; node.scale.target = 0; }
    this.#size.target = [...this.nodes.values()].some((n) => n.place.isTight && !n.isHidden) ? 13 : 22;
    const rank = ({ face }) => (["red", "violet", "amber"].includes(face.tone) ? 0 : face.isNew ? 1 : face.isLive ? 2 : 3);
    this.#order = [...this.nodes.values()].sort((a, b) => rank(a) - rank(b) || (a.face.id < b.face.id ? -1 : 1));
    if (isFirst) { jump(this.#size); this.fit(true); }
    else if (!this.isMoved && this.reach > this.fitted) this.fit();
    this.touch();
  }

  /** The distance up to which there are bots, two rings at least. */
  get reach() {
    return Math.max(radius(2), ...[...this.nodes.values()].filter((n) => !n.isHidden && !n.isOver).map((n) => radius(n.place.track)));
  }

  setSize(width, height, left, top, bottom, ratio) {
    Object.assign(this, { width, height, ratio, wide: width - left, cx: (left + width) / 2, cy: (top + height - bottom) / 2, free: height - top - bottom });
    this.stretch = Math.max(0.7, Math.min(1.6, this.wide / this.free));
    for (const { canvas } of [this.still, this.live]) [canvas.width, canvas.height] = [width * ratio, height * ratio];
    if (!this.isMoved) this.fit(true);
    this.touch();
  }

  setColors(colors) {
    this.colors = colors;
    this.#sprites.clear();
    this.touch();
  }

  fit(isAtOnce = false) {
    if (!this.width) return;
    this.fitted = this.reach;
    this.zoom.target = Math.min(this.free / 2 / (this.fitted + 42), this.wide / 2 / ((this.fitted + 42) * this.stretch), 1.6);
    this.panX.target = this.panY.target = 0;
    this.isMoved = false;
    this.#look(isAtOnce);
  }

  #look(isAtOnce) {
    if (isAtOnce) for (const it of [this.zoom, this.panX, this.panY]) jump(it);
    this.touch();
  }

  /** Zooms by a factor with a point of the canvas in its place. */
  zoomBy(factor, x = this.cx, y = this.cy, isAtOnce = false) {
    const to = Math.max(0.25, Math.min(5, this.zoom.target * factor));
    const real = to / this.zoom.target;
    for (const [pan, at] of [[this.panX, x - this.cx], [this.panY, y - this.cy]]) pan.target = at - (at - pan.target) * real;
    this.zoom.target = to;
    this.isMoved = true;
    this.#look(isAtOnce);
  }

  panBy(x, y) {
    this.panX.target += x;
    this.panY.target += y;
    this.isMoved = true;
    this.#look(true);
  }

  place(node) {
    return [this.cx + this.panX.value + node.x.value * this.stretch * this.zoom.value, this.cy + this.panY.value + node.y.value * this.zoom.value];
  }

  /** The node at a point of the canvas, or beside it by a finger's breadth. */
  at(x, y, breadth = 6) {
    let best = null;
    let least = Infinity;
    for (const node of this.nodes.values()) {
      const [u, v] = this.place(node);
      const away = Math.hypot(x - u, y - v);
      if (away < least && away < this.#size.value * this.zoom.value + breadth && node.scale.value > 0.3) [best, least] = [node, away];
    }
    return best;
  }

  /** Starts the radar, or lets it end with the turn that it is in. */
  sweep(isOn) {
    if (isOn) Object.assign(this.#radar, { isOn: this.motion !== "off", angle: this.#radar.isOn ? this.#radar.angle : 0 });
    this.isScanning = isOn;
    this.touch();
  }

  /** Something has changed, or somebody does something. */
  touch() {
    this.#touched = performance.now();
    this.#isStale = true;
    this.ask();
  }

  ask() { if (!this.#request && this.isShown && this.width && this.colors && !document.hidden) this.#request = requestAnimationFrame((time) => this.#frame(time)); }

  /** Lets it be seen, or not: then nothing moves. */
  show(isShown) {
    const isNew = isShown && !this.isShown;
    this.isShown = isShown;
    if (isNew) this.touch();
    if (isShown) return;
    cancelAnimationFrame(this.#request);
    this.#request = 0;
  }

  #frame(time) {
    this.#request = 0;
    const seconds = Math.min(0.1, Math.max(0, time - this.#last) / 1000);
    this.#last = time;
    const move = (it) => (this.motion === "off" && it.value !== it.target ? (jump(it), true) : step(it, seconds));
    let isMoving = [this.zoom, this.panX, this.panY, this.#size].map(move).some(Boolean);
    const isLit = this.#turn(seconds, move);
    let isFlashing = false;
    for (const [id, node] of this.nodes) {
      for (const it of [node.x, node.y, node.scale]) isMoving = move(it) || isMoving;
      isFlashing = move(node.flash) || isFlashing;
      if (node.isOver && node.scale.value === 0) { this.nodes.delete(id); this.#order = this.#order.filter((n) => n !== node); }
    }
    if (isMoving || this.#isStale) this.#drawStill();
    this.#isStale = false;
    const isCalm = this.motion === "off" || (this.motion === "subtle" && time - this.#touched > CALM);
    this.#drawLive(time / 1000, isCalm);
    const isAmbient = !isCalm && this.#order.some((n) => n.face.tether || n.face.isNew);
    if (isMoving || isLit || isFlashing || isAmbient) this.ask();
  }

  #turn(seconds, move) {
    const radar = this.#radar;
    const before = radar.angle;
    if (radar.isOn) radar.angle += (TURN * seconds) / 3;
    const hasTurned = Math.floor(before / TURN) !== Math.floor(radar.angle / TURN);
    if (radar.isOn && hasTurned && !this.isScanning) radar.isOn = false;
    for (const node of this.nodes.values()) {
      if (!node.isAwaited) continue;
      const ahead = (node.turn * TURN - (before % TURN) + TURN) % TURN;
      if (radar.isOn && ahead > radar.angle - before) continue;
      node.isAwaited = false;
      node.scale.target = node.isHidden || node.isOver ? 0 : 1;
    }
    radar.alpha.target = radar.isOn ? 1 : 0;
    return move(radar.alpha) || radar.isOn;
  }

  // Drawing

  #tone(face) {
    return this.colors[face.tone] ?? this.colors.secondary;
  }

  #font(c, size, weight = 400) { c.font = `${weight} ${this.rem * size}px system-ui, sans-serif`; }

  #orbit(c, r) {
    c.beginPath();
    c.ellipse(this.cx + this.panX.value, this.cy + this.panY.value, Math.max(0, r * this.stretch * this.zoom.value), Math.max(0, r * this.zoom.value), 0, 0, TURN);
  }

  #drawStill() {
    const { still: c, colors, width, height, ratio } = this;
    const zoom = this.zoom.value;
    const hub = this.place({ x: { value: 0 }, y: { value: 0 } });
    c.setTransform(ratio, 0, 0, ratio, 0, 0);
    c.fillStyle = colors.void;
    c.fillRect(0, 0, width, height);
    c.fillStyle = colors.text;
    for (const [x, y, size] of STARS) {
      c.globalAlpha = 0.15 + size * 0.45;
      c.fillRect(x * width, y * height, 0.7 + size, 0.7 + size);
    }
    c.globalAlpha = 1;
    const glow = c.createRadialGradient(...hub, 0, ...hub, 320 * zoom);
    glow.addColorStop(0, faded(colors.accent, 0.16));
    glow.addColorStop(1, faded(colors.accent, 0));
    c.fillStyle = glow;
    c.fillRect(0, 0, width, height);
    c.textAlign = "center";
    c.textBaseline = "middle";
    c.lineWidth = 1;
    c.strokeStyle = faded(colors.secondary, 0.2);
    c.fillStyle = colors.secondary;
    this.#font(c, 0.68);
    const grid = new Set();
    for (let ring = 0; ring <= STEPS.length; ring++) {
      const r = radius(2 * ring);
      if (r > this.reach) break;
      this.#orbit(c, r);
      c.stroke();
    }
    this.#drawTethers(c, hub, zoom);
    const shown = [];
    for (const node of this.#order) {
      const size = this.#size.value * zoom * node.scale.value;
      const [x, y] = this.place(node);
      if (size < 0.5 || x < -90 || y < -60 || x > width + 90 || y > height + 60) continue;
      const sprite = this.#sprite(node.face, this.#size.value * zoom);
      c.globalAlpha = node.isDim ? 0.25 : 1;
      c.drawImage(sprite, x - size * 1.8, y - size * 1.8, size * 3.6, size * 3.6);
      this.#claim(grid, x - size, y - size, 2 * size, 1.7 * size);
      shown.push([node, x, y, size]);
    }
    c.globalAlpha = 1;
    this.#drawHub(c, hub, HUB * zoom, grid);
    for (const [node, x, y, size] of shown) if (!node.isDim && node.scale.value > 0.6) this.#drawLabel(c, node.face, x, y + size + 3, grid);
    for (let ring = 0; ring < STEPS.length && radius(2 * ring) <= this.reach; ring++) {
      const y = hub[1] - radius(2 * ring + 1) * zoom;
      this.#font(c, 0.68);
      if (!this.#claim(grid, hub[0] - 24, y - 7, 48, 14, true)) continue;
      c.fillStyle = colors.secondary;
      c.fillText(`< ${STEPS[ring]} ms`, hub[0], y);
    }
  }

  #drawTethers(c, hub, zoom) {
    const lines = new Map();
    for (const node of this.#order) {
      const { tether, isDashed } = node.face;
      if (!tether || node.scale.value < 0.05) continue;
      const [x, y] = this.place(node);
      const far = Math.hypot(x - hub[0], y - hub[1]) || 1;
      const [from, to] = [(HUB * zoom) / far, 1 - (this.#size.value * zoom) / far];
      node.line = [hub[0] + (x - hub[0]) * from, hub[1] + (y - hub[1]) * from, hub[0] + (x - hub[0]) * to, hub[1] + (y - hub[1]) * to];
      const key = `${tether} ${isDashed} ${node.isDim}`;
      if (!lines.has(key)) lines.set(key, []);
      lines.get(key).push(node);
    }
    const crowd = Math.max(0.35, 1 - this.#order.length / 400);
    for (const list of lines.values()) {
      const [{ face, isDim }] = list;
      const color = this.colors[face.tether];
      const gradient = c.createRadialGradient(...hub, HUB * zoom, ...hub, this.reach * zoom * Math.max(1, this.stretch));
      gradient.addColorStop(0, faded(color, 0.12));
      gradient.addColorStop(1, faded(color, 0.85));
      c.strokeStyle = face.tether === "green" ? gradient : color;
      c.globalAlpha = (isDim ? 0.15 : face.tether === "green" ? 0.8 : 0.65) * crowd;
      c.lineWidth = 1.3;
      c.setLineDash(face.isDashed ? [5, 6] : []);
      c.beginPath();
      for (const { line } of list) { c.moveTo(line[0], line[1]); c.lineTo(line[2], line[3]); }
      c.stroke();
    }
    c.setLineDash([]);
    c.globalAlpha = 1;
  }

  #drawHub(c, [x, y], r, grid) {
    const { colors } = this;
    c.drawImage(this.#sprite({ emoji: "💻", tone: "accent", shape: "disc" }, r), x - r * 1.8, y - r * 1.8, r * 3.6, r * 3.6);
    c.fillStyle = colors.text;
    this.#claim(grid, x - r, y - r, 2 * r, 2 * r);
    this.#claim(grid, x - 55, y + r, 110, 24);
    this.#font(c, 0.8, 600);
    c.fillText(this.caption || "This computer", x, y + r + this.rem * 0.75);
  }

  /** Takes the cells of a box; with `ifFree` only where all are free. */
  #claim(grid, x, y, width, height, ifFree = false) {
    const cells = [];
    for (let u = Math.floor(x / 7); u <= (x + width) / 7; u++) for (let v = Math.floor(y / 7); v <= (y + height) / 7; v++) cells.push(u * 4096 + v);
    if (ifFree && cells.some((cell) => grid.has(cell))) return false;
    for (const cell of cells) grid.add(cell);
    return true;
  }

  /** A label hides where it has no room; it pushes nothing. */
  #drawLabel(c, face, x, y, grid) {
    const height = this.rem * 0.85;
    this.#font(c, 0.76);
    const name = short(face.name);
    const word = face.isNew ? "new" : face.isLive && face.state === "connected" || face.tone === "accent" ? "" : face.word;
    const width = (text) => this.#width(c, text) + 6;
    const within = (wide) => Math.max(wide / 2, Math.min(this.width - wide / 2, x));
    const both = Math.max(width(name), word ? width(word) : 0);
    const hasWord = word && this.#claim(grid, within(both) - both / 2, y, both, 2 * height, true);
    x = within(hasWord ? both : width(name));
    if (!hasWord && !this.#claim(grid, x - width(name) / 2, y, width(name), height, true)) return;
    c.fillStyle = face.isLive ? this.colors.text : this.colors.secondary;
    c.fillText(name, x, y + height / 2 + 1);
    c.fillStyle = this.#tone(face);
    if (hasWord) c.fillText(word, x, y + height * 1.5 + 1);
  }

  #widths = new Map();
  #width(c, text) {
    const key = `${c.font}${text}`;
    if (this.#widths.size > 4000) this.#widths.clear();
    if (!this.#widths.has(key)) this.#widths.set(key, c.measureText(text).width);
    return this.#widths.get(key);
  }

  /** A node as a picture; drawn once for each look and size. */
  #sprite(face, size) {
    const px = Math.max(8, Math.ceil((size * this.ratio) / 6) * 6);
    const key = [face.emoji, face.tone, face.shape, face.accent, px].join(" ");
    const known = this.#sprites.get(key);
    if (known) return known;
    if (this.#sprites.size > 400) this.#sprites.clear();
    const canvas = document.createElement("canvas");
    canvas.width = canvas.height = px * 3.6;
    const c = canvas.getContext("2d");
    c.translate(px * 1.8, px * 1.8);
    const tone = this.#tone(face);
    const isQuiet = face.isAway || face.tone === "plain";
    if (!isQuiet) {
      const glow = c.createRadialGradient(0, 0, px * 0.8, 0, 0, px * 1.75);
      glow.addColorStop(0, faded(tone, 0.4));
      glow.addColorStop(1, faded(tone, 0));
      c.fillStyle = glow;
      c.fillRect(-px * 1.8, -px * 1.8, px * 3.6, px * 3.6);
    }
    const disc = (x, y, r, fill, stroke, width) => {
      c.beginPath();
      c.arc(x, y, r, 0, TURN);
      c.fillStyle = fill;
      c.fill();
      c.lineWidth = width;
      c.strokeStyle = stroke;
      c.stroke();
    };
    disc(0, 0, px * 0.93, this.colors.elevated, tone, px * (isQuiet ? 0.07 : 0.12));
    if (face.accent) disc(0, 0, px * 0.78, this.colors.elevated, face.accent, px * 0.08);
    c.textAlign = "center";
    c.textBaseline = "middle";
    c.fillStyle = this.colors.text;
    c.globalAlpha = isQuiet ? 0.55 : 1;
    c.font = `${px}px "Noto Color Emoji", "Apple Color Emoji", sans-serif`;
    c.fillText(face.emoji, 0, px * 0.07);
    c.globalAlpha = 1;
    const sign = SIGNS[face.shape];
    if (sign) {
      disc(px * 0.72, px * 0.72, px * 0.4, this.colors.elevated, tone, px * 0.06);
      c.fillStyle = tone;
      c.font = `700 ${px * 0.55}px system-ui, "Noto Color Emoji", sans-serif`;
      c.fillText(sign, px * 0.72, px * 0.74);
    }
    this.#sprites.set(key, canvas);
    return canvas;
  }

  #drawLive(seconds, isCalm) {
    const { live: c, colors } = this;
    const zoom = this.zoom.value;
    c.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    c.clearRect(0, 0, this.width, this.height);
    this.#drawRadar(c, seconds);
    const size = this.#size.value * zoom;
    if (!isCalm) this.#drawFlow(c, seconds);
    for (const node of this.#order) {
      const { face } = node;
      const isPulsing = !isCalm && (face.isNew || face.tone === "amber");
      if (node.isDim || node.scale.value < 0.5 || (!isPulsing && node.flash.value < 0.02)) continue;
      const [x, y] = this.place(node);
      const pulse = face.isNew ? (seconds / 2.4 + hash(face.id)) % 1 : breathe(seconds);
      c.strokeStyle = node.flash.value > 0.02 ? colors.red : this.#tone(face);
      c.globalAlpha = node.flash.value > 0.02 ? Math.min(1, node.flash.value) : face.isNew ? 1 - pulse : 0.2 + 0.6 * pulse;
      c.lineWidth = 2;
      c.beginPath();
      c.arc(x, y, size * (node.flash.value > 0.02 ? 1.8 - 0.7 * Math.min(1, node.flash.value) : 1.05 + (face.isNew ? 0.7 * pulse : 0.12)), 0, TURN);
      c.stroke();
    }
    c.globalAlpha = 1;
    const told = this.nodes.get(this.hovered ?? this.focused);
    if (told) this.#drawTip(c, told, size);
  }

  #drawRadar(c, seconds) {
    const { alpha, angle } = this.#radar;
    if (alpha.value < 0.01) return;
    const far = this.reach + 30;
    c.save();
    c.translate(this.cx + this.panX.value, this.cy + this.panY.value);
    c.scale(this.stretch * this.zoom.value, this.zoom.value);
    c.rotate(angle - TURN / 4 - TURN / 3);
    const sweep = c.createConicGradient(0, 0, 0);
    sweep.addColorStop(0, faded(this.colors.primary, 0));
    sweep.addColorStop(1 / 3, faded(this.colors.primary, 0.34));
    c.globalAlpha = Math.min(1, alpha.value);
    c.fillStyle = sweep;
    c.beginPath();
    c.moveTo(0, 0);
    c.arc(0, 0, far * (0.9 + 0.1 * alpha.value), 0, TURN / 3);
    c.fill();
    c.restore();
    c.lineWidth = 1.2;
    c.strokeStyle = this.colors.accent;
    for (let i = 0; i < 3; i++) {
      const part = (seconds / 3 + i / 3) % 1;
      c.globalAlpha = 0.35 * (1 - part) * Math.min(1, alpha.value);
      this.#orbit(c, HUB + part * (far - HUB));
      c.stroke();
    }
    c.globalAlpha = 1;
  }

  #drawFlow(c, seconds) {
    const number = this.motion === "full" && this.#order.length < 150 ? 3 : 1;
    c.fillStyle = this.colors.green;
    c.globalAlpha = 0.9;
    for (const { face, line, isDim, scale } of this.#order) {
      if (face.tether !== "green" || !line || isDim || scale.value < 0.5) continue;
      for (let i = 0; i < number; i++) {
        const part = (seconds * 0.22 + hash(face.id) + i / number) % 1;
        c.fillRect(line[0] + (line[2] - line[0]) * part - 1, line[1] + (line[3] - line[1]) * part - 1, 2, 2);
      }
    }
    c.lineWidth = 2;
    c.strokeStyle = this.colors.amber;
    c.globalAlpha = 0.6 * breathe(seconds);
    c.beginPath();
    for (const { face, line, isDim } of this.#order) if (face.tether === "amber" && line && !isDim) { c.moveTo(line[0], line[1]); c.lineTo(line[2], line[3]); }
    c.stroke();
    c.globalAlpha = 1;
  }

  #drawTip(c, { face, ...node }, size) {
    const [x, y] = this.place(node);
    const { colors, rem } = this;
    c.strokeStyle = face.id === this.focused ? colors.accent : colors.text;
    c.lineWidth = 2;
    c.beginPath();
    c.arc(x, y, size + 5, 0, TURN);
    c.stroke();
    const lines = [[face.name, colors.text], [[face.word, face.isLive && latencyText(face.latency)].filter(Boolean).join(" · "), this.#tone(face)]];
    if (face.bot !== null) lines.push([`at ${face.gateway}`, colors.secondary]);
    this.#font(c, 0.85);
    const width = Math.max(...lines.map(([text]) => this.#width(c, text))) + rem * 1.4;
    const height = lines.length * rem * 1.2 + rem * 0.7;
    const left = Math.max(8, Math.min(this.width - width - 8, x - width / 2));
    const top = y - size - height - 12 > this.cy - this.free / 2 ? y - size - height - 12 : y + size + 12;
    c.fillStyle = colors.elevated;
    c.strokeStyle = colors.border;
    c.lineWidth = 1;
    c.beginPath();
    c.roundRect(left, top, width, height, 10);
    c.fill();
    c.stroke();
    c.textBaseline = "middle";
    lines.forEach(([text, color], i) => {
      c.fillStyle = color;
      c.fillText(text, left + rem * 0.7, top + rem * (0.95 + i * 1.2));
    });
  }
}
