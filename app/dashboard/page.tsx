import type { Metadata } from 'next';
import { Dashboard } from '@/components/dashboard/dashboard';

export const metadata: Metadata = {
  title: 'Dashboard',
  description: 'Your receipts as seller and as payer, for you alone.',
  robots: { index: false, follow: false },
};

export default function DashboardPage() {
  return (
    <main className="wide stack-wide">
      <h1>Dashboard</h1>
      <Dashboard />
    </main>
  );
}
