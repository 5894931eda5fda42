"use strict";
// Everything is there without this script; it only lets a reader hide a line of a chart and sort a table.
for (const key of document.querySelectorAll("svg .key")) {
  key.addEventListener("click", () => {
    const line = key.parentNode.querySelector(`.series[data-series="${key.dataset.series}"]`);
    key.classList.toggle("is-off");
    line.classList.toggle("is-off");
  });
}
for (const head of document.querySelectorAll("th[data-sort]")) {
  head.addEventListener("click", () => {
    const body = head.closest("table").tBodies[0];
    const at = head.cellIndex;
    const down = head.dataset.sort !== "down";
    head.dataset.sort = down ? "down" : "up";
    const value = (row) => row.cells[at].dataset.value ?? row.cells[at].textContent;
    const order = (a, b) => {
      const [x, y] = [value(a), value(b)];
      const numbers = [Number(x), Number(y)];
      const told = numbers.some(Number.isNaN) || x === "" || y === "" ? x.localeCompare(y) : numbers[0] - numbers[1];
      return down ? -told : told;
    };
    for (const row of [...body.rows].sort(order)) body.append(row);
  });
}
window.addEventListener("beforeprint", () => {
  for (const part of document.querySelectorAll("details")) part.open = true;
});
