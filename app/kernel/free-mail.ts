// Email providers where anyone can have an address, so that the domain says nothing about an organisation: worldwide ones,
// then the mail of Australian and New Zealand internet providers.
const FREE_MAIL_DOMAINS: ReadonlySet<string> = new Set(
  `
  gmail.com googlemail.com outlook.com outlook.com.au hotmail.com hotmail.com.au hotmail.co.uk hotmail.co.nz hotmail.fr
  live.com live.com.au live.co.uk msn.com windowslive.com passport.com yahoo.com yahoo.com.au yahoo.co.uk yahoo.co.nz
  yahoo.co.in yahoo.ca yahoo.fr yahoo.de yahoo.co.jp ymail.com rocketmail.com myyahoo.com icloud.com me.com mac.com aol.com
  aim.com proton.me protonmail.com protonmail.ch pm.me tuta.com tuta.io tutanota.com tutamail.com gmx.com gmx.net gmx.de
  gmx.at gmx.ch web.de t-online.de mail.com email.com usa.com post.com consultant.com fastmail.com fastmail.com.au
  fastmail.fm fastmail.net zoho.com zohomail.com zohomail.com.au hey.com duck.com mailbox.org posteo.de posteo.net
  runbox.com hushmail.com inbox.com lycos.com rediffmail.com yandex.com yandex.ru ya.ru mail.ru bk.ru inbox.ru list.ru
  rambler.ru qq.com foxmail.com 163.com 126.com yeah.net sina.com sina.cn sohu.com 139.com 189.cn naver.com daum.net
  hanmail.net orange.fr free.fr laposte.net libero.it virgilio.it comcast.net verizon.net att.net sbcglobal.net
  bellsouth.net btinternet.com sky.com
  bigpond.com bigpond.com.au bigpond.net.au optusnet.com.au optusnet.com tpg.com.au iinet.net.au westnet.com.au
  internode.on.net adam.com.au ozemail.com.au dodo.com.au aapt.net.au netspace.net.au iprimus.com.au primus.com.au
  exemail.com.au spin.net.au spintel.net.au froggy.com.au ihug.com.au people.net.au pacific.net.au picknowl.com.au
  chariot.net.au senet.com.au aanet.com.au activ8.net.au bluep.com dcsi.net.au tsn.cc y7mail.com xtra.co.nz slingshot.co.nz
  orcon.net.nz vodafone.co.nz
  `
    .trim()
    .split(/\s+/),
);

/** True for a provider that gives addresses to anyone. Such a domain is nobody's to claim and never stands for an organisation. */
export function isFreeMailDomain(domain: string): boolean {
  return FREE_MAIL_DOMAINS.has(domain.trim().toLowerCase());
}
