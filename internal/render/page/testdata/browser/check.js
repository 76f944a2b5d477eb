// Opens pages in Chromium and prints what it found as JSON, one object a page. The pages, their width and their colours come
// as JSON on standard input; the program of the browser and the folder of the modules in the environment.
"use strict";
const fs = require("fs");
const path = require("path");
const { createRequire } = require("module");

const modules = createRequire(path.join(process.env.FAILPROOF_BROWSER_MODULES, "x"));
const { chromium } = modules("playwright-core");
const axe = fs.readFileSync(modules.resolve("axe-core/axe.min.js"), "utf8");
const flags = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
  "--disable-component-update", "--disable-sync", "--disable-dev-shm-usage"];
const patience = 120000; // milliseconds that a page may take on a machine that compiles beside

// open loads a page in a browser of its own kind and returns it with all that it said and asked for.
async function open(browser, want, options) {
  const context = await browser.newContext({ viewport: { width: want.width, height: 900 }, colorScheme: want.scheme, reducedMotion: "reduce", ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(patience);
  const said = [], asked = [];
  page.on("console", (message) => said.push(message.type() + ": " + message.text()));
  page.on("pageerror", (error) => said.push("error: " + error.message));
  page.on("request", (request) => asked.push(request.url()));
  const started = Date.now();
  await page.goto("file://" + want.file);
  if (options.javaScriptEnabled !== false) // else a frame never calls back
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  return { context, page, said, asked, milliseconds: Date.now() - started };
}

// usable tries what a reader does: search, filter, follow a link into folded rows, print.
async function usable(page, search) {
  const shown = () => page.evaluate(() => [...document.querySelectorAll("details.part[open] tbody tr")].filter((row) => row.offsetParent !== null).length);
  const rows = await page.evaluate(() => document.querySelectorAll("details.part tbody tr").length);
  const result = { rows };
  if (!search) return result;
  const last = await page.evaluate(() => {
    const all = document.querySelectorAll("details.part tbody tr");
    return { id: all[all.length - 1].id, name: all[all.length - 1].querySelector("th").innerText || all[all.length - 1].querySelector("th").textContent };
  });
  const started = Date.now();
  await page.fill("#find", last.name.trim());
  await page.waitForFunction(() => document.querySelector("#found").textContent.startsWith("1 of"), null, { timeout: patience });
  result.searchMilliseconds = Date.now() - started;
  result.found = await shown();
  result.first = await page.evaluate(() => new URLSearchParams(location.hash.split("?")[1]).get("q"));
  for (const [name, words] of Object.entries({ named: "s:broken sev:crit tag:team", different: "s:different" })) {
    await page.fill("#find", words);
    await page.waitForFunction((words) => new URLSearchParams(location.hash.split("?")[1]).get("q") === words, words, { timeout: patience });
    result[name] = await page.evaluate(() => [...document.querySelectorAll("details.part tbody tr")].filter((row) => !row.hidden).length);
  }
  await page.fill("#find", "");
  await page.waitForFunction(() => !document.querySelector("#found").textContent.includes(" of "));
  await page.selectOption("#kind", "regressed");
  result.regressed = await page.evaluate(() => [...document.querySelectorAll("details.part tbody tr")].filter((row) => !row.hidden).length);
  result.address = await page.evaluate(() => location.hash);
  await page.reload();
  result.recalled = await page.evaluate(() => document.querySelector("#kind").value);
  await page.selectOption("#kind", "");
  await page.evaluate(() => document.activeElement.blur());
  await page.keyboard.press("j");
  await page.keyboard.press("j");
  await page.keyboard.press("k");
  result.stepped = await page.evaluate(() => {
    const first = document.querySelector("details.case[id]");
    return first.open && first.contains(document.activeElement) && first.querySelector("button.copy") !== null;
  });
  await page.evaluate((id) => { location.hash = id; }, last.id);
  await page.waitForFunction((id) => document.getElementById(id).checkVisibility(), last.id, { timeout: patience });
  const target = await page.evaluate((id) => document.getElementById(id).getBoundingClientRect().top, last.id);
  result.followed = target >= 0 && target < 900;
  return result;
}

// widest is the element that makes the page scroll sideways.
const widest = () => {
  const over = document.documentElement.scrollWidth - innerWidth;
  if (over <= 0) return "";
  for (const element of document.querySelectorAll("main *"))
    if (element.getBoundingClientRect().right > innerWidth + 1 && !element.closest(".scroll,nav,.text")) return element.tagName + "." + element.className;
  return over + " pixels";
};

// worked ticks off the first answer that a person has to look at, and returns what the list says of it when the page is opened anew.
async function worked(page) {
  if (!await page.locator("#review").count()) return "";
  await page.evaluate(() => { document.querySelector("#review details.case").open = true; });
  await page.locator("#review label.looked input").first().click();
  await page.reload();
  return page.locator("#review p.looked").innerText();
}

async function check(browser, want) {
  let first = await open(browser, want, {});
  for (let again = 0; again < 2 && first.milliseconds >= 2000; again++) { // the machine may have been at something else
    await first.context.close();
    first = await open(browser, want, {});
  }
  const { context, page, said, asked, milliseconds } = first;
  const result = { milliseconds, said, asked: asked.filter((url) => url !== "file://" + want.file && !url.startsWith("data:")) };
  result.wide = await page.evaluate(widest);
  if (want.picture) await page.screenshot({ path: want.picture, fullPage: true });
  Object.assign(result, await usable(page, want.search));
  result.looked = await worked(page);
  await page.emulateMedia({ media: "print" });
  result.folded = await page.evaluate(() => {
    dispatchEvent(new Event("beforeprint"));
    return document.querySelectorAll("details.case:not([open]),details.rest:not([open])").length;
  });
  result.printed = await page.evaluate(() => document.querySelector("#verdict-title").checkVisibility());
  await context.close();

  // The page forbids every script but its own, so the one that judges it needs leave. The parts of the table after the first
  // are built like it, and to judge ten thousand rows takes minutes.
  const judged = await open(browser, want, { bypassCSP: true });
  await judged.page.evaluate(() => document.querySelectorAll("details.part ~ details.part").forEach((part) => part.remove()));
  await judged.page.evaluate(axe);
  result.violations = [];
  for (const unfolded of result.rows > 1000 ? [0] : [0, 40]) {
    await judged.page.evaluate((n) => [...document.querySelectorAll("details")].slice(0, n).forEach((box) => { box.open = true; }), unfolded);
    const found = await judged.page.evaluate(() => window.axe.run(document, { resultTypes: ["violations"] }));
    result.violations.push(...found.violations.map((v) => v.impact + ": " + v.id + ": " + v.nodes[0].html.slice(0, 200)));
  }
  await judged.context.close();

  const plain = await open(browser, want, { javaScriptEnabled: false }).catch((error) => ({ failed: error }));
  if (plain.failed) throw plain.failed;
  result.plain = await plain.page.locator("#verdict-title").isVisible() && !(await plain.page.locator("#tools").isVisible().catch(() => false));
  await plain.context.close();
  return result;
}

(async () => {
  const wanted = JSON.parse(fs.readFileSync(0, "utf8"));
  const launch = () => chromium.launch({ executablePath: process.env.FAILPROOF_CHROMIUM || "/usr/bin/chromium", headless: true, args: flags, timeout: patience });
  let browser = await launch();
  const results = [];
  for (const want of wanted) {
    const started = Date.now();
    for (let restarts = 0; ; restarts++) {
      try {
        results.push(await check(browser, want));
        break;
      } catch (error) { // a browser that hangs says nothing of the page: another one is asked, once or twice
        if (error.name !== "TimeoutError" || restarts === 2) throw error;
        console.error(`${path.basename(want.file)}: the browser is started anew: ${error.message}`);
        await Promise.race([browser.close(), new Promise((done) => setTimeout(done, 5000))]);
        browser = await launch();
      }
    }
    console.error(`${path.basename(want.file)} at ${want.width}, ${want.scheme}: ${Date.now() - started} ms`);
  }
  await browser.close();
  process.stdout.write(JSON.stringify(results));
})().catch((error) => { console.error(error); process.exit(1); });
