import { onStopRequest } from './on-stop-request';

// Ends a little after the request, like a launcher that has parts to stop.
onStopRequest((why) => {
  console.log(`stopping (${why})`);
  setTimeout(() => {
    console.log('stopped');
    process.exit(0);
  }, 300);
});
setInterval(() => undefined, 1_000);
console.log(`ready ${process.pid}`);
