"use strict";
const data = JSON.parse(document.getElementById("data").textContent);
const details = document.querySelector(".details"), svg = document.querySelector(".graph svg");
let pinned = null;

function element(tag, text, parent) {
  const made = document.createElement(tag);
  if (text !== undefined) made.textContent = text;
  if (parent) parent.append(made);
  return made;
}

function list(title, items) {
  if (!items.length) return;
  element("h3", title, details);
  element("pre", items.join("\n"), details);
}

function show(number) {
  const kernel = data.kernels[number];
  document.querySelectorAll(".marked").forEach((e) => e.classList.remove("marked"));
  document.querySelectorAll(`[data-kernel="${number}"], [data-from="${number}"], [data-to="${number}"]`).forEach((e) => e.classList.add("marked"));
  details.replaceChildren();
  element("h2", `${number}: ${kernel.title}`, details);
  const facts = element("dl", undefined, details);
  for (const [name, value] of Object.entries(kernel.facts)) {
    element("dt", name, facts);
    element("dd", value, facts);
  }
  list("ops, and the lines that they come from", kernel.lines);
  list("reads", kernel.reads);
  list("writes", kernel.writes);
  list("why these ops, and no others", kernel.why);
  for (const name of kernel.sources) list(name, [data.sources[name]]);
  details.scrollTop = 0;
}

function numberOf(event) {
  const at = event.target.closest("[data-kernel]");
  return at ? Number(at.dataset.kernel) : null;
}

document.addEventListener("mouseover", (event) => {
  const number = numberOf(event);
  if (number !== null && pinned === null && !event.target.closest(".table")) show(number);
});

document.addEventListener("click", (event) => {
  const number = numberOf(event);
  if (number !== null) {
    pinned = pinned === number ? null : number;
    show(number);
    if (!event.target.closest(".graph")) bring(number);
  } else if (event.target.closest(".graph") && event.target.tagName !== "BUTTON") pinned = null;
});

const size = [svg.viewBox.baseVal.width, svg.viewBox.baseVal.height];
let scale = 1;
function zoom(to) {
  scale = Math.min(4, Math.max(0.05, to));
  svg.setAttribute("width", size[0] * scale);
  svg.setAttribute("height", size[1] * scale);
}
const box = document.querySelector(".graph");
const fitting = () => Math.min(1, (box.clientWidth - 20) / size[0]);
function bring(number) {
  const at = document.getElementById(`k${number}`).getBoundingClientRect(), frame = box.getBoundingClientRect();
  box.scrollTop += at.top - frame.top - (frame.height - at.height) / 2;
  box.scrollLeft += at.left - frame.left - (frame.width - at.width) / 2;
}
const zooms = { "+": () => zoom(scale * 1.25), "−": () => zoom(scale / 1.25), width: () => zoom(fitting()), all: () => zoom(Math.min(fitting(), (box.clientHeight - 20) / size[1])) };
document.querySelectorAll(".zoom button").forEach((b) => b.addEventListener("click", () => zooms[b.textContent]()));
zoom(Math.max(fitting(), 0.6));

document.querySelectorAll("th").forEach((head, column) => head.addEventListener("click", () => {
  const body = document.querySelector("tbody"), down = head.dataset.down !== "yes";
  head.dataset.down = down ? "yes" : "no";
  const key = (row) => row.cells[column].dataset.value ?? row.cells[column].textContent;
  const order = (a, b) => isNaN(key(a)) ? key(a).localeCompare(key(b)) : key(b) - key(a);
  body.append(...[...body.rows].sort((a, b) => down ? order(a, b) : order(b, a)));
}));

const asked = /^#(\d+)$/.exec(location.hash); // page.html#12
if (asked && data.kernels[asked[1]]) {
  show(Number(asked[1]));
  bring(Number(asked[1]));
} else if (data.kernels.length) show(data.slowest);
