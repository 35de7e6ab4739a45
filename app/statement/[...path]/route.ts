import { unknownPath } from '@/server/rest/route';

export const { GET, HEAD, POST, DELETE, PUT, PATCH, OPTIONS } = unknownPath();
