// The hosts of the contract test. A provider adds its recorder beside this file, and a row here.
import { CLOUDFLARE } from './cloudflare.ts';
import { DEPLOY_HOOK } from './deploy-hook.ts';
import type { HostCase } from './fake-host.ts';
import { GITHUB } from './github.ts';
import { NETLIFY } from './netlify.ts';
import { SYNC } from './sync.ts';
import { VERCEL } from './vercel.ts';

export const HOSTS: readonly HostCase[] = [VERCEL, NETLIFY, CLOUDFLARE, GITHUB, SYNC, DEPLOY_HOOK];
