// Addresses of the service for one’s own account.

export const PROFILE_URL = '/api/admin/profile';
export const CODES_URL = '/api/admin/profile/one-time-codes';
export const TOKENS_URL = '/api/admin/access-tokens';
export const SESSIONS_URL = '/api/admin/sessions';
