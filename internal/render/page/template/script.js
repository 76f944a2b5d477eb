// Search and filters of the table of cases, and the way from a sign of the map to its row. The page is whole without it.
(() => {
  "use strict";
  const id = (name) => document.getElementById(name);
  const tools = id("tools");

  // A row may lie in folded details: unfold what holds the target of a link.
  const reveal = () => {
    const target = location.hash.length > 1 && id(location.hash.slice(1));
    if (!target) return;
    for (let at = target; at; at = at.parentElement) if (at.tagName === "DETAILS") at.open = true;
    target.scrollIntoView({ block: "center" });
  };
  addEventListener("hashchange", reveal);
  reveal();
  addEventListener("click", (event) => {
    const to = event.target.dataset && event.target.dataset.to;
    if (to) location.hash = to;
  });

  if (!tools) return;
  const find = id("find"), kind = id("kind"), grade = id("grade"), found = id("found");
  const total = found.textContent;
  let parts;
  const words = new Map();
  const textOf = (row, box) => {
    if (!words.has(row)) words.set(row, (row.textContent + " " + box.firstElementChild.textContent).toLowerCase());
    return words.get(row);
  };
  const filter = () => {
    const wanted = find.value.toLowerCase().split(/\s+/).filter(Boolean);
    const asked = wanted.length > 0 || kind.value !== "" || (grade && grade.value !== "");
    let shown = 0;
    parts ??= [...document.querySelectorAll("details.part")].map((box) => ({ box, open: box.open, rows: [...box.querySelectorAll("tbody tr")] }));
    for (const { box, open, rows } of parts) {
      let here = 0;
      for (const row of rows) {
        const fits = (!kind.value || row.dataset.k === kind.value) && (!grade || !grade.value || row.dataset.g === grade.value) &&
          wanted.every((word) => textOf(row, box).includes(word));
        if (row.hidden === fits) row.hidden = !fits;
        if (fits) here++;
      }
      box.hidden = here === 0;
      box.open = asked ? here > 0 && shown < 1000 : open;
      shown += here;
    }
    found.textContent = asked ? shown.toLocaleString("en") + " of " + total : total;
  };
  let soon;
  find.addEventListener("input", () => { clearTimeout(soon); soon = setTimeout(filter, 120); });
  for (const choice of [kind, grade]) if (choice) choice.addEventListener("change", filter);
  tools.hidden = false;
  if (find.value || kind.value || (grade && grade.value)) filter();
})();
