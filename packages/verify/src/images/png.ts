/** The first bytes of every PNG (ISO/IEC 15948), in hex. */
export const PNG_SIGNATURE = '89504e470d0a1a0a';
