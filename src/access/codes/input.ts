// Input of the operations with one-time codes.
import { z } from 'zod';
import { TypedPassword } from '../input.ts';

const Code = z.string().min(1).max(100);
const CurrentPassword = TypedPassword.min(1);

export const BeginCodesBody = z.object({ currentPassword: CurrentPassword });
export const ConfirmCodesBody = z.object({ code: Code });
export const EndCodesBody = z.object({ currentPassword: CurrentPassword, code: Code });
