// The test of the test: removes every line outside the repository's code that makes something durable, one at a time,
// and the enumeration of power cuts must notice. A line whose removal goes unnoticed states why it stays.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { enumerateCuts } from '../support/crash/data/enumerate.ts';
import { findDataScenario } from '../support/crash/data/scenarios.ts';
import { readSources } from '../support/source.ts';

const SOURCES = ['src/{data,outbox,audit,settings}/**/*.ts'];
const CALL = /\b((?:await |return |\? )?(?:\w+\??\.(?:sync|datasync)\(|syncFolder\(|syncNow\(|fsyncSync\().*)$/;
const DECLARED = /^(?:export )?(?:async )?function|^import /;

interface Site {
  name: string;
  path: string;
  line: number;
}

/** Sites such as `outbox/journal.ts await to.sync() #2`. */
function listSites(): Site[] {
  const sites: Site[] = [];
  for (const { path, text } of readSources(SOURCES)) {
    for (const [index, line] of text.split('\n').entries()) {
      const call = CALL.exec(line)?.[1]
        ?.replace(/[;{].*$/, '')
        .trim();
      if (call === undefined || DECLARED.test(line) || line.trimStart().startsWith('//')) continue;
      const name = `${path.slice('src/'.length)} ${call}`;
      const alike = sites.filter((one) => one.name === name || one.name.startsWith(`${name} #`)).length;
      sites.push({ name: alike ? `${name} #${alike + 1}` : name, path, line: index + 1 });
    }
  }
  return sites;
}

/** The scenario that notices, or the reason why no scenario does. */
const LINES: Record<string, { scenario: string } | string> = {
  'data/data-folder.ts await syncFolder(folder)': { scenario: 'dataFolder' },
  'data/durable.ts await handle.sync()': { scenario: 'dataFolder' },
  'data/durable.ts await handle.sync() #2': { scenario: 'dataFolder' },
  'data/durable.ts await syncFolder(parent)': { scenario: 'dataFolder' },
  'data/durable.ts await syncFolder(path.dirname(file))': { scenario: 'privateFile' },
  'data/durable.ts fsyncSync(descriptor)': { scenario: 'privateFile' },
  'data/durable.ts syncNow(parent)': { scenario: 'privateFile' },
  'outbox/journal-file.ts await handle.datasync()':
    'what a killed process had not synced is covered by the next append; test/outbox/durable.test.ts holds it',
  'outbox/journal-file.ts await syncFolder(folder)':
    'the name that a killed process had not synced; test/outbox/durable.test.ts holds it',
  'outbox/journal-file.ts await to.datasync()': { scenario: 'outbox' },
  'outbox/journal-file.ts await syncFolder(folder) #2': { scenario: 'outbox' },
  'outbox/journal-file.ts handle?.datasync()':
    'a delivery whose record is lost is at worst sent again; test/outbox/durable.test.ts holds it',
  'outbox/journal-file.ts await syncFolder(folder) #3': { scenario: 'outbox' },
  'outbox/journal.ts file.sync()).catch((error) =>':
    'a delivery whose record is lost is at worst sent again; test/outbox/durable.test.ts holds it',
  'outbox/journal-copy.ts await to.sync()': { scenario: 'outbox' },
  'audit/chain.ts await handle.sync()':
    'the end of the chain may stay behind after a power cut; test/audit/open-audit.test.ts holds it',
  'audit/open-audit-trail.ts await syncFolder(folder)':
    'the name that a killed process had not synced; test/audit/open-audit.test.ts holds it',
  'audit/open-audit-trail.ts await syncFolder(folder) #2': { scenario: 'audit' },
  'audit/open-audit-trail.ts handle.sync())': { scenario: 'audit' },
  'audit/trail-files.ts await handle.sync()': { scenario: 'audit' },
};

const STATES = 1500;
const SEEDS = 3;

test('every line that makes something durable is held by a scenario, or says why it is not', () => {
  assert.equal(
    listSites()
      .map(({ name }) => name)
      .sort(),
    Object.keys(LINES).sort(),
  );
});

for (const site of listSites()) {
  const held = LINES[site.name];
  if (held === undefined || typeof held === 'string') continue;
  test(`without ${site.name} a power cut loses something, and the check finds it`, async () => {
    const place = `/${site.path}:${site.line}:`;
    let isMet = false;
    let isFound = false;
    const ignoresSync = (): boolean => {
      // The function that calls a sync is awaited by its own caller.
      Error.stackTraceLimit = 50;
      const isIt = new Error().stack?.includes(place) === true;
      isMet ||= isIt;
      return isIt;
    };
    for (let seed = 1; seed <= SEEDS && !isFound; seed++) {
      const plan = { seed, states: STATES, ignoresSync, stopAtFailure: true };
      isFound = (await enumerateCuts(findDataScenario(held.scenario)!, plan)).failures.length > 0;
    }
    assert.ok(isMet, 'the scenario reaches the line');
    assert.ok(isFound);
  });
}

test.run();
