// How the site is doing, by right (`GET /api/admin/status`).
import type { Answer } from './answer.ts';

export const STATUS_URL = '/api/admin/status';
export type SiteStatus = Answer<'/api/admin/status'>;
