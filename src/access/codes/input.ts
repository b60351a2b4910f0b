// What the operations with one-time codes take.
import { z } from 'zod';

const Code = z.string().min(1).max(100);
const Present = z.string().min(1);

export const BeginCodesBody = z.object({ currentPassword: Present });
export const ConfirmCodesBody = z.object({ code: Code });
export const EndCodesBody = z.object({ currentPassword: Present, code: Code });
