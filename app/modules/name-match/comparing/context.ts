import { WordList } from "../reading/word-list";
import { Aligner } from "./align";
import { Evidence } from "./evidence";
import { Holders } from "./holders";
import { Meetings } from "./rule-out";
import { Speller } from "./spelling";

/** What the steps of one comparison share: what they found, and the tools and lists they work with. */
export class Context {
  readonly evidence = new Evidence();
  readonly speller = new Speller();
  readonly meetings = new Meetings();
  readonly aligner = new Aligner(this.speller);
  /** The words of one person on each side. */
  readonly personA = new WordList();
  readonly personB = new WordList();
  readonly holdersA = new Holders();
  readonly holdersB = new Holders();
}
