import './app.css';
import { mount } from 'svelte';
import App from './App.svelte';

const target = document.getElementById('app');
if (!target) throw new Error('The page has no #app.');
mount(App, { target });

// Browsers without service workers, and pages without HTTPS, do without: then Tavola needs the network.
// It fetches everything that works offline, so it waits until the page has been loaded.
if (import.meta.env.PROD && 'serviceWorker' in navigator) {
  const register = () =>
    navigator.serviceWorker.register('/service-worker.js').catch((error: unknown) => console.warn(error));
  setTimeout(register, 2000);
}
