import { plainForm } from '@quittance/verify/receipts/clean-label';
import { withoutLookAlikes } from './find-domain';

/**
 * Phrases of prizes and scams, in lower case, by language. The keyword lists of wallets and indexers (Rainbow, Moralis,
 * Phantom's reports) have single words as well: `claim`, `reward`, `bonus`, `voucher`, `winner`. Those alone are not here,
 * because an insurance claim, reward points, a gift voucher and a yearly bonus are paid for.
 */
const PHRASES = {
  any: ['air[ -]?drops?', 'аирдроп\\p{L}*', 'эйрдроп\\p{L}*'],
  en: [
    'give-?aways?',
    'free (?:mints?|nfts?|tokens?|crypto|sol|usdc|usdt|btc|bitcoin|eth|spins?|money)',
    'claim (?:(?:your|my|a|the|this|free|now|exclusive|[\\d.,$]+) )*(?:now|free|here|rewards?|prizes?|bonus|tokens?|nfts?|gifts?|vouchers?|sol|usdc|usdt)',
    'claim yours?',
    '(?:visit|click|scan|connect|eligible|open|go)(?: \\S+){0,4} to (?:claim|redeem|win)',
    '(?:free|unclaimed|mystery|exclusive) (?:rewards?|bonus|prizes?|vouchers?)',
    '(?:rewards?|prizes?|bonus|vouchers?) (?:is |are )?(?:waiting|inside|unlocked|available now)',
    "you(?:[’']ve| have)? (?:just )?won",
    "you(?:[’']re| are) (?:the |a |our )?(?:lucky |selected )?(?:winner|eligible|selected)",
    'lucky winner',
    '(?:connect|verify|validate|sync|synchronize) (?:your |the )?wallet',
    'double your (?:money|crypto|sol|usdc|usdt|bitcoin|btc|eth)',
  ],
  de: [
    'gewinnspiel\\p{L}*',
    '(?:sie haben|du hast)(?: \\S+){0,3} gewonnen',
    '(?:gewinn|belohnung|bonus|gutschein|prämie|preis|nft|token)s? (?:jetzt )?(?:abholen|einlösen|sichern|beanspruchen)',
    'jetzt (?:abholen|einlösen|beanspruchen|gewinnen)',
    '(?:gratis|kostenlose?[rsnm]?)[ -](?:nfts?|tokens?|mint|krypto|bonus|gutscheine?|sol|usdc)',
    'glückwunsch[!,.]* (?:sie|du)',
    '(?:sie sind|du bist) (?:der |die |ein |eine |unser )?(?:glücklicher? )?gewinner(?:in)?',
    'wallet (?:verbinden|verifizieren|bestätigen)',
  ],
  es: [
    '(?:has|ha|habéis|han) ganado',
    'ganaste',
    '(?:reclam[ae]r?|canje[ae]r?|cobr[ae]r?) (?:(?:tu|su|tus|sus|el|la|los|ya|ahora) )*(?:premios?|recompensas?|bonos?|regalos?|vales?|nfts?|tokens?)',
    '(?:premios?|recompensas?|bonos?|nfts?|tokens?|mint|cripto|sol|usdc|sorteos?) (?:gratis|gratuit[oa]s?)',
    '(?:felicidades|enhorabuena)[!,.]* (?:has|ha|eres|es)',
    '(?:eres|es) (?:el|la|un|una|nuestro|nuestra) (?:afortunad[oa] )?ganadora?',
    '(?:conect[ae]|verifi(?:ca|que)) (?:tu|su) (?:wallet|cartera|billetera|monedero)',
  ],
} as const;

/** Languages that put no spaces between words. */
const UNSPACED = [
  'エアドロップ',
  'ギブアウェイ',
  '当選(?:しました|おめでとう|通知|者)',
  '無料(?:ミント|nft|トークン|配布)',
  '(?:賞金|報酬|特典|ボーナス|景品|賞品|プレゼント)(?:を|の)?(?:受け取|受取|請求|獲得)',
  'プレゼント(?:キャンペーン|企画)',
  'ウォレットを(?:接続|認証)',
  '空投',
  '에어드(?:랍|롭)',
];

const PRIZES = new RegExp(
  `(?<![\\p{L}\\p{N}])(?:${Object.values(PHRASES).flat().join('|')})(?![\\p{L}\\p{N}])|${UNSPACED.join('|')}`,
  'u',
);
/** Digits that stand for letters, as in `a1rdr0p`. */
const LEET: ReadonlyMap<string, string> = new Map(
  Object.entries({ 0: 'o', 1: 'i', 3: 'e', 4: 'a', 5: 's', 7: 't', $: 's' }),
);

/**
 * The first phrase of a prize or scam in a text, in the form found there; null for none. Wallets
 * hide NFTs that hold one.
 */
export function findPrizeWords(text: string): string | null {
  const plain = plainForm(text).replace(/[\s_]+/gu, ' ');
  const latin = withoutLookAlikes(plain);
  const letters = Array.from(latin, (one) => LEET.get(one) ?? one).join('');
  for (const spelling of [plain, latin, letters]) {
    const found = PRIZES.exec(spelling);
    if (found) return found[0];
  }
  return null;
}
