import { buildApp } from './build-app';
import { loadDotEnv } from './environment';

loadDotEnv();
await buildApp((line) => console.log(line));
console.log('built .next');
