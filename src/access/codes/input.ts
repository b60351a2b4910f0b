// What the operations with one-time codes take.
import { z } from 'zod';
import { TypedPassword } from '../input.ts';

const Code = z.string().min(1).max(100);
const Present = TypedPassword.min(1);

export const BeginCodesBody = z.object({ currentPassword: Present });
export const ConfirmCodesBody = z.object({ code: Code });
export const EndCodesBody = z.object({ currentPassword: Present, code: Code });
