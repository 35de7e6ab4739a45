import { describe, expect, test } from 'vitest';
import { findPrizeWords } from './find-prize-words';

describe('prize words', () => {
  test.each([
    ...['Claim your reward', 'AIRDROP', 'air-drop', 'Free mint', 'free  NFT', 'giveaway'],
    ...['You’ve won!', 'Claim 500 USDC now', 'Visit site to claim', 'You are the lucky winner'],
    ...['Connect wallet', 'Unclaimed rewards', 'Claim yours', 'Free voucher'],
    ...[
      'a1rdr0p',
      'сlaim now',
      'ｆｒｅｅ ｍｉｎｔ',
      'free\u200b mint',
      'air\u00addrop',
      'FREE_MINT',
    ],
    ...['Gewinnspiel', 'Gutschein einlösen', 'Sie haben 500 USDC gewonnen', 'Wallet verbinden'],
    ...['Herzlichen Glückwunsch, Sie', 'kostenlose Token', 'Jetzt abholen'],
    ...['Has ganado', 'Reclama tu premio', 'Bono gratis', 'Eres el ganador', 'Conecta tu wallet'],
    ...[
      'エアドロップ',
      'ｴｱﾄﾞﾛｯﾌﾟ',
      '無料ミント',
      '報酬を受け取る',
      '当選しました',
      'プレゼント企画',
    ],
    ...['空投', '에어드랍', 'аирдроп'],
  ])('are found in %s', (text) => {
    expect(findPrizeWords(text)).not.toBeNull();
  });

  test.each([
    ...['Insurance claim', 'Warranty claim no. 5', 'Claims processing', 'Claim the warranty'],
    ...['Reward points', 'Referral reward', 'Staking rewards', 'Prize money, chess'],
    ...['Gift voucher', 'Voucher 50 EUR', 'Annual bonus 2026', 'Winner’s medal engraving'],
    ...['Free shipping', 'Sugar free tea', 'Wallet, leather', 'Drop shipping', 'Air dropper'],
    ...['Gutschein', 'Preis pro Stück', 'Bonuszahlung', 'premio de ajedrez', 'bono anual'],
    ...['賞品代', '報酬（11月分）', 'プレゼント用包装', '当選祝い花'],
  ])('are not found in %s', (text) => {
    expect(findPrizeWords(text)).toBeNull();
  });

  test('are reported as they were found', () => {
    expect(findPrizeWords('Now: CLAIM  your Reward, friends')).toBe('claim your reward');
  });
});
