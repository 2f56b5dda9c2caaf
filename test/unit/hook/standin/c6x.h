/* Stands in for the header and the intrinsics of TI's compiler. TSCH is what it was when TSCL was read: a counter that moves with
 * each look at it shows who reads them the wrong way round. An interrupt may come wherever the machine is asked for something. */
#ifndef STANDIN_C6X_H
#define STANDIN_C6X_H

unsigned int *standin_tscl(void);
unsigned int standin_tsch(void);
unsigned int _disable_interrupts(void);
void _restore_interrupts(unsigned int before);

#define TSCL (*standin_tscl())
#define TSCH standin_tsch()

#endif
