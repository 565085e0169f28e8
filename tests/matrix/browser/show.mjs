// Opens the page in a browser without a screen, waits for texts to stand there, and writes down what a person sees.
// Takes one line of JSON: browser, query (of the page), texts, picture (a path, or null), width, height, patience.
import { readFileSync } from "node:fs";

import { chromium } from "playwright-core";
import { preview } from "vite";

const given = JSON.parse(readFileSync(0, "utf8"));
const server = await preview({ root: import.meta.dirname, logLevel: "error", preview: { host: "127.0.0.1", port: 0 } });
const browser = await chromium.launch({ executablePath: given.browser, args: ["--no-sandbox", "--lang=de"] });
const told = [];
let reply;
try {
    const page = await browser.newPage({ viewport: { width: given.width, height: given.height }, locale: "de-DE" });
    page.setDefaultTimeout(given.patience * 1000);
    page.on("console", (message) => told.push(message.text()));
    page.on("pageerror", (error) => told.push(`${error.stack}`));
    await page.goto(`http://127.0.0.1:${server.httpServer.address().port}/?${new URLSearchParams(given.query)}`);
    for (const text of given.texts) await page.getByText(text).first().waitFor();
    await page.locator(".GapView.isLoading").waitFor({ state: "detached" });
    if (given.picture) await page.screenshot({ path: given.picture });
    const tiles = await page.locator(".Timeline_message").evaluateAll((found) => {
        let sender = null; // its name stands only above the first of several messages in a row
        return found.filter((tile) => !tile.closest(".ReplyPreviewView")).map((tile) => {
            sender = tile.querySelector(".Timeline_messageSender")?.textContent ?? sender;
            return { sender, text: tile.querySelector(".Timeline_messageBody")?.innerText ?? "" };
        });
    });
    reply = { tiles };
} catch (error) {
    reply = { error: `${error}`, told: told.slice(-20) };
} finally {
    await browser.close();
    server.httpServer.close();
}
process.stdout.write(JSON.stringify(reply));
process.exit(0);
