// Builds the picture of a tree into treec_serve/page: one module and one style sheet, nothing else is
// fetched. The first line of both has the hash of what they were built from, which a test compares.
import {createHash} from "node:crypto";
import {readdirSync, readFileSync} from "node:fs";
import {defineConfig} from "vite";

const here = new URL("./", import.meta.url);
const sources = ["package-lock.json", "package.json", "tsconfig.json", "vite.config.mjs",
  ...readdirSync(new URL("src/", here)).map(name => `src/${name}`)].sort();
const hash = createHash("sha256");
for (const name of sources) hash.update(`${name}\n`).update(readFileSync(new URL(name, here)));
const line = `/* Built by 'make page' from serve/web, sha256 ${hash.digest("hex")} */\n`;

const stamp = {
  name: "stamp",
  enforce: "post",
  generateBundle(_, bundle) {
    for (const file of Object.values(bundle)) {
      if (file.type === "chunk") file.code = line + file.code;
      else file.source = line + file.source;
    }
  },
};

export default defineConfig({
  plugins: [stamp],
  esbuild: {jsx: "automatic"},
  define: {"process.env.NODE_ENV": JSON.stringify("production")},
  build: {
    outDir: "../treec_serve/page",
    emptyOutDir: false,
    copyPublicDir: false,
    modulePreload: false,
    target: "es2022",
    reportCompressedSize: true,
    cssCodeSplit: false,
    rollupOptions: {
      input: "src/mount.tsx",
      preserveEntrySignatures: "strict",
      output: {format: "es", entryFileNames: "picture.js", assetFileNames: "picture[extname]"},
    },
  },
});
