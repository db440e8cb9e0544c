// go mod init x && go get github.com/aws/aws-sdk-go-v2/service/acm && go run zero-values.go
// A projection drops the null of an item without the member, so all values are SUCCESS: the wait must succeed. It times out.
package main

import ("context"; "fmt"; "net/http"; "net/http/httptest"; "time"; "github.com/aws/aws-sdk-go-v2/aws"; "github.com/aws/aws-sdk-go-v2/service/acm")

func main() {
	service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, `{"Certificate": {"DomainValidationOptions": [{"ValidationStatus": "SUCCESS"}, {}]}}`)
	}))
	client := acm.New(acm.Options{Region: "us-east-1", BaseEndpoint: &service.URL, Credentials: aws.AnonymousCredentials{}})
	waiter := acm.NewCertificateValidatedWaiter(client, func(o *acm.CertificateValidatedWaiterOptions) { o.MinDelay, o.MaxDelay = time.Second, time.Second })
	input := acm.DescribeCertificateInput{CertificateArn: aws.String("arn:aws:acm:us-east-1:1:certificate/a")}
	fmt.Println(waiter.Wait(context.Background(), &input, 4*time.Second))
}
