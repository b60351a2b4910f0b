// Answers that have no end: tests that ask every route for one leave them out. `test/deploy/notify.test.ts` and
// `test/live/routes.test.ts` read them, and ask for them without the permission.

export const ENDLESS: readonly string[] = ['/api/admin/deploy/notify', '/api/admin/events'];
