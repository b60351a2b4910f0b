// Runs after `npm ci` in a checkout: prints one sentence if npm ran on a Node that cannot run the service, instead of a
// warning for each package (.npmrc). This script itself runs on the Node that was installed.
const OLDEST_MAJOR = 22;

const [, version = '', major] = /\bnode\/(v(\d+)\S*)/.exec(process.env.npm_config_user_agent ?? '') ?? [];
if (Number(major) < OLDEST_MAJOR) {
  console.log(`npm runs on Node ${version}; Colophon runs on Node ${process.version}, which was installed with it.`);
  console.log('Start it through npm and npx, as the README does.');
}
