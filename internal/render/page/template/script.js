// Search, filters and order of the table of cases, the way from a sign of the map to its row, keys from case to case, and buttons that copy
// an answer. The page is whole without it.
(() => {
  "use strict";
  const id = (name) => document.getElementById(name);
  const tools = id("tools");

  // A row may lie in folded details: unfold what holds the target of a link.
  const reveal = () => {
    const target = location.hash.length > 1 && id(location.hash.slice(1).split("?")[0]);
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

  // j and k go to the next case and the one before, and open it.
  addEventListener("keydown", (event) => {
    const step = { j: 1, k: -1 }[event.key];
    if (!step || event.ctrlKey || event.metaKey || event.altKey || /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName)) return;
    const cases = [...document.querySelectorAll("details.case[id]")].filter((one) => one.checkVisibility());
    const at = cases.findIndex((one) => one.contains(document.activeElement));
    const next = cases[at < 0 ? (step > 0 ? 0 : cases.length - 1) : at + step];
    if (!next) return;
    next.open = true;
    next.firstElementChild.focus({ preventScroll: true });
    next.scrollIntoView({ block: "start" });
  });
  const keys = document.querySelector(".keys");
  if (keys) keys.hidden = false;

  // A text that scrolls can be scrolled from the keyboard.
  const reachable = (box) => {
    for (const text of box.querySelectorAll(".text")) if (text.scrollHeight > text.clientHeight || text.scrollWidth > text.clientWidth) text.tabIndex = 0;
  };
  addEventListener("toggle", (event) => reachable(event.target), true);
  for (const open of document.querySelectorAll("details[open]")) reachable(open);

  // A button on each answer of a case that is opened.
  const offer = (box) => {
    for (const head of box.querySelectorAll(".answer:not(.offered) > h3")) {
      const text = head.nextElementSibling;
      head.parentElement.classList.add("offered");
      if (!text.classList.contains("text")) continue;
      const button = document.createElement("button");
      button.type = "button";
      button.className = "copy";
      button.textContent = "Copy";
      button.addEventListener("click", () => {
        const words = text.cloneNode(true);
        for (const fold of words.querySelectorAll("details.alike > summary")) fold.remove();
        navigator.clipboard.writeText(words.textContent).then(() => { button.textContent = "Copied"; }, () => {
          getSelection().selectAllChildren(text);
          button.textContent = "Selected";
        });
      });
      head.append(button);
    }
  };
  addEventListener("toggle", (event) => { if (event.target.open && event.target.matches("details.case")) offer(event.target); }, true);
  for (const box of document.querySelectorAll("details.case[open]")) offer(box);

  // Answers that a person has to look at are ticked off one by one. This browser keeps what was ticked, for these very answers: another
  // report's answer is another one to look at.
  const keep = (name, value) => {
    try {
      if (value === undefined) return localStorage.getItem(name) !== null;
      if (value) localStorage.setItem(name, "1"); else localStorage.removeItem(name);
    } catch { /* a page may have no such memory */ }
    return false;
  };
  const digest = (text) => [...text].reduce((sum, letter) => (Math.imul(sum, 31) + letter.codePointAt(0)) | 0, 7).toString(36);
  for (const section of document.querySelectorAll("#review,#worse,#hidden")) {
    const count = document.createElement("p"), ticks = [];
    count.className = "quiet looked";
    count.setAttribute("role", "status");
    const tell = () => { count.textContent = ticks.filter((one) => one.checked).length + " of " + ticks.length + " looked at"; };
    for (const box of section.querySelectorAll("details.case")) {
      const label = document.createElement("label"), tick = document.createElement("input"), name = "failproof/" + digest(box.id + box.textContent);
      label.className = "looked";
      tick.type = "checkbox";
      tick.checked = keep(name);
      box.classList.toggle("done", tick.checked);
      tick.addEventListener("change", () => {
        keep(name, tick.checked);
        box.classList.toggle("done", tick.checked);
        box.open = !tick.checked;
        tell();
        const next = ticks.find((one) => !one.checked);
        if (tick.checked && next) (next.closest("details").firstElementChild).focus();
      });
      label.append(tick, " Looked at");
      box.querySelector(".inside").append(label);
      ticks.push(tick);
    }
    section.querySelector("h2").after(count);
    tell();
  }

  // On paper nothing can be unfolded. Browsers that do not print what is folded get it unfolded.
  const unfolded = [];
  addEventListener("beforeprint", () => {
    for (const box of document.querySelectorAll("details.case:not([open]),details.rest:not([open])")) { unfolded.push(box); box.open = true; }
  });
  addEventListener("afterprint", () => { for (const box of unfolded.splice(0)) box.open = false; });

  if (!tools) return;
  const find = id("find"), kind = id("kind"), grade = id("grade"), found = id("found");
  const total = found.textContent;
  let parts;
  const words = new Map();
  const textOf = (row, box) => {
    if (!words.has(row)) words.set(row, (row.textContent + " " + box.firstElementChild.textContent).toLowerCase());
    return words.get(row);
  };
  // What is looked for stands in the address, so that it can be sent to somebody.
  const choices = { q: find, kind, severity: grade };
  const asking = () => new URLSearchParams(Object.entries(choices).flatMap(([name, field]) => (field && field.value ? [[name, field.value]] : []))).toString();
  // A word such as s:broken, sev:high or tag:billing is about the outcome, the severity or the beginning of a tag.
  const fits = (row, box) => {
    const outcome = (word) => (word === "different" ? row.dataset.d !== undefined : row.dataset.k.startsWith(word.replace("broken", "regressed")));
    const named = { s: outcome, sev: (word) => row.dataset.g.startsWith(word), tag: (word) => (row.dataset.t || "").includes("\t" + word) };
    return (word) => {
      const [name, ...rest] = word.split(":");
      return rest.length && Object.hasOwn(named, name) ? named[name](rest.join(":")) : textOf(row, box).includes(word);
    };
  };
  const recall = () => {
    const [place, query] = location.hash.slice(1).split("?");
    if (place !== "cases" || query === undefined) return false;
    const given = new URLSearchParams(query);
    for (const [name, field] of Object.entries(choices)) if (field) field.value = given.get(name) || "";
    return true;
  };
  const filter = () => {
    const wanted = find.value.toLowerCase().split(/\s+/).filter(Boolean);
    if (kind.value) wanted.push("s:" + kind.value);
    if (grade && grade.value) wanted.push("sev:" + grade.value);
    const asked = wanted.length > 0;
    let shown = 0;
    parts ??= [...document.querySelectorAll("details.part")].map((box) => ({ box, open: box.open, rows: [...box.querySelectorAll("tbody tr")] }));
    for (const { box, open, rows } of parts) {
      let here = 0;
      for (const row of rows) {
        const shows = wanted.every(fits(row, box));
        if (row.hidden === shows) row.hidden = !shows;
        if (shows) here++;
      }
      box.hidden = here === 0;
      box.open = asked ? here > 0 && shown < 1000 : open;
      shown += here;
    }
    if (history.replaceState) history.replaceState(null, "", asked ? "#cases?" + asking() : location.pathname + location.search);
    found.textContent = asked ? shown.toLocaleString("en") + " of " + total : total;
  };
  let soon;
  find.addEventListener("input", () => { clearTimeout(soon); soon = setTimeout(filter, 120); });
  for (const choice of [kind, grade]) if (choice) choice.addEventListener("change", filter);
  tools.hidden = false;
  addEventListener("hashchange", () => { if (recall()) filter(); });

  // Columns are ordered by a press on their heads, each part of the table by itself.
  for (const head of document.querySelectorAll("table.cases thead th")) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "sort";
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      const down = head.getAttribute("aria-sort") === "ascending";
      const at = [...head.parentElement.children].indexOf(head), rows = head.closest("table").tBodies[0];
      for (const other of head.parentElement.children) other.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", down ? "descending" : "ascending");
      const keyed = [...rows.rows].map((row) => [row.cells[at].dataset.n || row.cells[at].textContent, row]);
      keyed.sort((a, b) => a[0].localeCompare(b[0], "en", { numeric: true }) * (down ? -1 : 1));
      rows.append(...keyed.map((one) => one[1]));
    });
  }
  recall();
  if (find.value || kind.value || (grade && grade.value)) filter();
})();
