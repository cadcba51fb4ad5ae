// The ways in beside what is found: pictures of codes, links, addresses, the camera, the clipboard.

import { Problem, expect, send } from "./api.js";
import { toast } from "./actions.js";
import { button, buttons, byId, el, fill, hint, isWriting, onEnter, say } from "./dom.js";
import { begin, offerLink } from "./pairing.js";
import { wayIn } from "./text.js";

/** The most pixels of a picture that are sent; its head needs a few bytes, too. */
const PIXELS = 1_000_000;

/** Takes a text from wherever it comes. */
function take(text, from) {
  const target = wayIn(text);
  if (!target) {
    toast("That is no link, code or address of a gateway", { tone: "red" });
    return false;
  }
  byId("ways").close();
  offerLink(target, from);
  return true;
}

// Pictures

/** Shades of grey of what can be drawn, as a PGM. */
export function greyPicture(source, width, height) {
  const scale = Math.min(1, Math.sqrt(PIXELS / (width * height)));
  const [w, h] = [Math.max(1, Math.floor(width * scale)), Math.max(1, Math.floor(height * scale))];
  const canvas = el("canvas", { width: w, height: h });
  const context = canvas.getContext("2d", { willReadFrequently: true });
  context.fillStyle = "#fff"; // what is transparent is paper
  context.fillRect(0, 0, w, h);
  context.drawImage(source, 0, 0, w, h);
  const { data } = context.getImageData(0, 0, w, h);
  const head = new TextEncoder().encode(`P5\n${w} ${h}\n255\n`);
  const bytes = new Uint8Array(head.length + w * h);
  bytes.set(head);
  for (let i = 0, at = head.length; i < data.length; i += 4) bytes[at++] = (data[i] * 77 + data[i + 1] * 150 + data[i + 2] * 29) >> 8;
  return bytes;
}

const codesIn = async (bytes) => (await send("POST", "/api/v1/qr", bytes)).texts ?? [];

async function takePicture(blob, from) {
  const url = URL.createObjectURL(blob);
  try {
    const image = new Image();
    image.src = url;
    try { await image.decode(); } catch { return toast("That is no picture that this browser can read", { tone: "red" }); }
    say("Looking for a code in the picture");
    const codes = await codesIn(greyPicture(image, image.naturalWidth || 800, image.naturalHeight || 800));
    const text = codes.find((code) => wayIn(code));
    if (text) take(text, from);
    else toast(codes.length ? "The code in the picture is not of a gateway" : "No code was found in the picture. A sharper or closer one may help", { tone: "red" });
  } catch (error) {
    expect(error);
    toast(error.isUnknown ? "The agent cannot read pictures" : `The picture was not read: ${error.message}`, { tone: "red" });
  } finally {
    URL.revokeObjectURL(url);
  }
}

// Camera

let camera = null;

async function startCamera() {
  stopCamera();
  const place = byId("camera");
  let stream;
  try {
    stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: "environment" } });
  } catch {
    return toast("The camera cannot be used here. A picture of the code does as well", { tone: "red" });
  }
  // It may have been closed while the browser asked.
  if (!byId("ways").open || camera) return stream.getTracks().forEach((track) => track.stop());
  camera = stream;
  const video = el("video", { muted: true, playsInline: true, "aria-label": "Picture of the camera" });
  video.srcObject = stream;
  fill(place, video, el("p", { class: "hint", role: "status" }, "Hold the code before the camera."), button("Stop the camera", stopCamera));
  try { await video.play(); } catch { if (camera === stream) stopCamera(); return; }
  while (camera === stream) {
    if (video.videoWidth > 0 && !document.hidden) {
      let codes = [];
      try { codes = await codesIn(greyPicture(video, video.videoWidth, video.videoHeight)); } catch (error) {
        if (!(error instanceof Problem) || error.status !== 0) {
          toast(`The camera's pictures are not read: ${error.message}`, { tone: "red" });
          break;
        }
      }
      const text = codes.find((code) => wayIn(code));
      if (text && camera === stream) { stopCamera(); take(text, "from the camera"); return; }
    }
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
  if (camera === stream) stopCamera();
}

function stopCamera() {
  for (const track of camera?.getTracks() ?? []) track.stop();
  camera = null;
  fill(byId("camera"));
}

// Entering by hand

function manualForm() {
  const host = el("input", { id: "manual-host", autocomplete: "off", spellcheck: false, inputMode: "url", placeholder: "192.168.1.50", required: true });
  const port = el("input", { id: "manual-port", autocomplete: "off", inputMode: "numeric", maxLength: 5, placeholder: "usual ports" });
  const token = el("input", { id: "manual-token", type: "password", autocomplete: "off", spellcheck: false });
  const problem = el("p", { class: "problem", role: "alert" });
  const go = () => {
    const given = host.value.trim();
    const number = port.value.trim();
    if (!given) { problem.textContent = "Enter the host"; return host.focus(); }
    if (number && !(/^\d{1,5}$/.test(number) && +number >= 1 && +number <= 65_535)) { problem.textContent = "A port is a number from 1 to 65535"; return port.focus(); }
    const isV6 = (given.match(/:/g) ?? []).length > 1 && !given.startsWith("[") && !/^wss?:/i.test(given);
    const name = isV6 ? `[${given}]` : given;
    const secret = token.value.trim();
    byId("ways").close();
    begin(wayIn(given)?.invitation ? { invitation: given } : { address: number ? `${name}:${number}` : name }, secret);
    host.value = port.value = token.value = "";
  };
  for (const field of [host, port, token]) onEnter(field, go);
  return el("fieldset", { class: "manual" }, el("legend", {}, "Enter manually"),
    el("div", { class: "fields" },
      el("label", { class: "field wide" }, "Host", host), el("label", { class: "field" }, "Port", port),
      el("label", { class: "field wide" }, "Token (if you have one)", token)),
    problem, button("Look for it", go, { class: "primary" }));
}

/** Opens the ways in, with one of them at hand. */
export function openWays(first) {
  const dialog = byId("ways");
  const file = el("input", { type: "file", accept: "image/*", class: "sr", id: "picture", tabIndex: -1, "aria-label": "Picture of a QR code", onchange: () => { if (file.files[0]) takePicture(file.files[0], "from a picture"); file.value = ""; } });
  const text = el("input", { id: "link-text", autocomplete: "off", spellcheck: false, placeholder: "optaplus://… , oc-pair://… , eyJ… , host:port" });
  const go = () => take(text.value, "from this field");
  onEnter(text, go);
  fill(dialog, el("h2", { id: "ways-title" }, "Add a gateway"),
    el("section", {}, el("h3", {}, "A QR code"),
      hint("Drop or paste a picture of it anywhere on this page, or:"),
      buttons(button("Choose a picture", () => file.click(), { id: "way-picture" }), file,
        navigator.mediaDevices?.getUserMedia && button("Use the camera", startCamera, { id: "way-camera" })),
      el("div", { id: "camera" })),
    el("section", {}, el("h3", {}, "A link or a code"),
      hint("Paste it anywhere on this page, or:"),
      el("label", { class: "field" }, "Link, setup code or address", text),
      buttons(button("Go on", go, { class: "primary" }),
        navigator.clipboard?.readText && button("From the clipboard", fromClipboard))),
    el("section", {}, manualForm()),
    buttons(button("Close", () => dialog.close())));
  if (!dialog.open) dialog.showModal();
  ({ picture: byId("way-picture"), link: text, manual: byId("manual-host") }[first] ?? byId("way-picture")).focus();
}

async function fromClipboard() {
  try {
    const text = await navigator.clipboard.readText();
    take(text, "from the clipboard");
  } catch {
    toast("The browser does not let the page read the clipboard. Paste with the keyboard", { tone: "red" });
  }
}

/** Pictures and texts that are dropped or pasted anywhere. */
export function setUp() {
  byId("ways").addEventListener("close", stopCamera);
  addEventListener("paste", (event) => {
    const picture = [...(event.clipboardData?.files ?? [])].find((f) => f.type.startsWith("image/"));
    if (picture) {
      event.preventDefault();
      takePicture(picture, "from a pasted picture");
    } else if (!isWriting(event.target)) {
      event.preventDefault();
      take(event.clipboardData?.getData("text/plain") ?? "", "from what you pasted");
    }
  });
  addEventListener("dragover", (event) => {
    event.preventDefault();
    document.body.classList.add("dropping");
  });
  addEventListener("dragleave", (event) => { if (!event.relatedTarget) document.body.classList.remove("dropping"); });
  addEventListener("drop", (event) => {
    event.preventDefault();
    document.body.classList.remove("dropping");
    const picture = [...(event.dataTransfer?.files ?? [])].find((f) => f.type.startsWith("image/"));
    if (picture) takePicture(picture, "from a picture");
    else take(event.dataTransfer?.getData("text/uri-list") || event.dataTransfer?.getData("text/plain") || "", "by being dropped here");
  });
}

/** The ways in as they are offered where nothing is found, or scanning does not work. */
export const wayButtons = () => el("div", { class: "buttons" },
  button("QR code", () => openWays("picture"), { "data-key": "ways qr" }), button("Link or code", () => openWays("link"), { "data-key": "ways link" }), button("Enter manually", () => openWays("manual"), { "data-key": "ways manual" }));
