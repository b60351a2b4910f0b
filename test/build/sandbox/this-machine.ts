// What this machine can do, for tests that must say what they could not try.
import { findBuilder } from '../../../src/build/sandbox/builder-user.ts';
import { listMachineFolders } from '../../../src/build/sandbox/machine-folders.ts';
import { probeMachine } from '../../../src/build/sandbox/probe.ts';

const searchPath = process.env.PATH;
const folders = listMachineFolders({ searchPath, listed: [], hidden: [] });
const { programs, problem } = await probeMachine({ searchPath, folders, builder: findBuilder(), wantsNetwork: false });

export const hasBwrap = programs !== undefined;
if (!hasBwrap) console.log(`bwrap does not work here (${problem}), so nothing was tried in it`);
