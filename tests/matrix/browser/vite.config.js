import { readFileSync } from "node:fs";

// The library's service worker has no name under which it could be imported, and it must stand at the root.
const serviceWorker = {
    name: "service-worker",
    generateBundle() {
        const source = readFileSync(new URL("node_modules/hydrogen-view-sdk/lib-build/sw.js", import.meta.url));
        this.emitFile({ type: "asset", fileName: "sw.js", source });
    },
};

export default {
    base: "./",
    logLevel: "error",
    build: { target: "esnext", assetsInlineLimit: 0, chunkSizeWarningLimit: 4096 },
    plugins: [serviceWorker],
};
