import { loadDotEnv } from '@/devnet/settings';
import { buildApp } from './build-app';

loadDotEnv();
console.log(`built ${await buildApp((line) => console.log(line))}`);
