// VS Code calls run() in its extension host. Each file of topics/ is a topic: a table of names and tests.
const fs = require('node:fs');
const path = require('node:path');

exports.run = async () => {
  const folder = path.join(__dirname, 'topics');
  let failed = 0;
  for (const file of fs.readdirSync(folder).sort()) {
    for (const [name, test] of Object.entries(require(path.join(folder, file)))) {
      const start = performance.now();
      const result = { name: `${path.basename(file, '.js')}: ${name}` };
      try {
        const said = await test();
        if (said !== undefined) result.said = said;
      } catch (error) {
        failed += 1;
        result.failed = String(error.stack ?? error);
      }
      result.seconds = Math.round(performance.now() - start) / 1000;
      console.log(`result ${JSON.stringify(result)}`);
    }
  }
  if (failed) throw new Error(`${failed} failed`);
};
